package dev.heddle.examples.documents;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static dev.heddle.examples.ExampleRunner.LONG;
import static dev.heddle.examples.ExampleRunner.pool;
import static org.assertj.core.api.Assertions.assertThat;

class CommandTaskTest {

    private static final Document DOCUMENT = new Document("doc-1", "Looms", "A heddle guides the warp.");

    @TempDir
    private Path directory;

    private final List<String> processed = new CopyOnWriteArrayList<>();

    private Pool open(CommandTask.Processor processor) {
        return pool(directory).register(CommandTask.type("summarise"), processor)
                .register(CommandTask.type("file"), processor).open();
    }

    @Test
    void isIdentifiedByItsCommandAndDocument() throws Exception {
        try (Pool pool = open((ctx, document, command, guidance) -> {})) {
            Job job = pool.submit(CommandTask.of(DOCUMENT, "summarise", "briefly")).awaitEnd(LONG);

            assertThat(job.type()).isEqualTo("summarise");
            assertThat(job.spec().dedupeKey()).contains("cmd-summarise-doc-1");
            assertThat(job.spec().subject()).contains("doc-1");
        }
    }

    @Test
    void passesDocumentCommandAndGuidanceToTheProcessor() throws Exception {
        try (Pool pool = open((ctx, document, command, guidance) -> processed
                .add(document + " " + command + " " + guidance + " " + ctx.subject().orElseThrow()))) {
            pool.submit(CommandTask.of(DOCUMENT, "summarise", "briefly")).await(LONG);

            assertThat(processed).containsExactly(DOCUMENT + " summarise briefly doc-1");
        }
    }

    @Test
    void failsWithTheExceptionOfTheProcessor() throws Exception {
        try (Pool pool = open((ctx, document, command, guidance) -> {
            throw JobException.permanent("no such command: " + command);
        })) {
            Job job = pool.submit(CommandTask.of(DOCUMENT, "summarise", "")).awaitEnd(LONG);

            assertThat(job.state()).isEqualTo(JobState.FAILED);
            assertThat(job.reason()).contains("Permanent failure: no such command: summarise");
        }
    }

    @Test
    void returnsTheLiveJobIfSubmittedAgain() throws Exception {
        CountDownLatch allSubmitted = new CountDownLatch(1);
        try (Pool pool = open((ctx, document, command, guidance) -> {
            allSubmitted.await();
            processed.add(command + " " + guidance);
        })) {
            JobHandle<Void> first = pool.submit(CommandTask.of(DOCUMENT, "summarise", "briefly"));
            JobHandle<Void> second = pool.submit(CommandTask.of(DOCUMENT, "summarise", "at length"));
            JobHandle<Void> other = pool.submit(CommandTask.of(DOCUMENT, "file", "under looms"));
            allSubmitted.countDown();
            first.await(LONG);
            other.await(LONG);

            assertThat(second.id()).isEqualTo(first.id());
            assertThat(processed).containsExactlyInAnyOrder("summarise briefly", "file under looms");
        }
    }
}
