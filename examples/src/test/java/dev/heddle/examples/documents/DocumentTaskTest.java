package dev.heddle.examples.documents;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static dev.heddle.examples.ExampleRunner.pool;
import static org.assertj.core.api.Assertions.assertThat;

class DocumentTaskTest {

    private static final JobType<DocumentTask, Void> PROCESS = DocumentTask.type("process");

    @TempDir
    private Path directory;

    private final List<String> handled = new CopyOnWriteArrayList<>();

    private Pool open(DocumentTask.Handler handler) {
        return pool(directory).register(PROCESS, handler).open();
    }

    @Test
    void isIdentifiedByItsTypeAndDocument() throws Exception {
        try (Pool pool = open((ctx, documentId) -> {})) {
            Job job = pool.submit(DocumentTask.of(PROCESS, "doc-1")).awaitEnd(LONG);

            assertThat(job.type()).isEqualTo("process");
            assertThat(job.spec().dedupeKey()).contains("process-doc-1");
            assertThat(job.spec().subject()).contains("doc-1");
            assertThat(pool.admin().list(JobQuery.all().subject("doc-1"))).extracting(Job::id)
                    .containsExactly(job.id());
        }
    }

    @Test
    void passesTheDocumentIdToTheHandler() throws Exception {
        try (Pool pool = open((ctx, documentId) -> handled.add(documentId + " for " + ctx.id()))) {
            JobHandle<Void> handle = pool.submit(DocumentTask.of(PROCESS, "doc-1"));

            assertThat(handle.await(LONG)).isNull();
            assertThat(handled).containsExactly("doc-1 for " + handle.id());
        }
    }

    @Test
    void failsWithTheExceptionOfTheHandler() throws Exception {
        try (Pool pool = open((ctx, documentId) -> {
            throw new IOException("no answer for " + documentId);
        })) {
            Job job = pool.submit(DocumentTask.of(PROCESS, "doc-1").maxRetries(0)).awaitEnd(LONG);

            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.failure().orElseThrow().message()).isEqualTo("IOException: no answer for doc-1");
        }
    }

    @Test
    void returnsTheLiveJobIfSubmittedAgain() throws Exception {
        CountDownLatch secondSubmitted = new CountDownLatch(1);
        try (Pool pool = open((ctx, documentId) -> {
            secondSubmitted.await();
            handled.add(documentId);
        })) {
            JobHandle<Void> first = pool.submit(DocumentTask.of(PROCESS, "doc-1"));
            JobHandle<Void> second = pool.submit(DocumentTask.of(PROCESS, "doc-1"));
            JobHandle<Void> other = pool.submit(DocumentTask.of(PROCESS, "doc-2"));
            secondSubmitted.countDown();
            first.await(LONG);
            other.await(LONG);

            assertThat(second.id()).isEqualTo(first.id());
            assertThat(handled).containsExactlyInAnyOrder("doc-1", "doc-2");
            assertThat(pool.submit(DocumentTask.of(PROCESS, "doc-1")).id())
                    .as("a new job once the first has ended")
                    .isNotEqualTo(first.id());
        }
    }
}
