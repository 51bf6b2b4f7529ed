package dev.heddle.server;

import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.control.ControlJson;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.ProgressBody;
import dev.heddle.control.remote.RemoteJobControl;
import dev.heddle.job.Job;
import dev.heddle.job.JobCaller;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Progress;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What the process of a running job may do with the token of the job. */
class JobTokenTest {

    private static final JobType<String, String> PARENT = JobType.of("parent", String.class, String.class);
    private static final JobType<String, String> CHILD = JobType.of("child", String.class, String.class);
    private static final String TOKEN = "hjt_test";

    private final CompletableFuture<JobContext> running = new CompletableFuture<>();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Pool pool = Pool.on(new MemoryStore()).register(PARENT, (_, job) -> {
        running.complete(job);
        end.await();
        return "";
    }).register(CHILD, (_, _) -> "done").open();
    private final HeddleServer server = HeddleServer.on(pool).port(0)
            .jobTokens(token -> token.equals(TOKEN) ? Optional.of(new JobCaller(running.join(), Set.of("child")))
                    : Optional.empty())
            .start();
    private final RemoteJobControl process = RemoteJobControl.at(server.uri(), TOKEN);
    private final JobId parent = pool.submit(PARENT, "").id();

    @AfterEach
    void close() {
        end.countDown();
        server.close();
        pool.close();
    }

    private Job find(JobId id) {
        return pool.find(id).orElseThrow();
    }

    @Test
    void readsItsOwnJob() {
        assertThat(process.job().job().id()).isEqualTo(parent.toString());
    }

    @Test
    void reportsProgress() {
        process.progress(new ProgressBody(3L, 10L, "page 3"));

        Awaitility.await()
                .until(() -> find(parent).progress().filter(new Progress(3, 10, "page 3")::equals).isPresent());
    }

    @Test
    void refusesProgressThatSaysNothing() {
        assertThatThrownBy(() -> process.progress(new ProgressBody(null, 10L, null)))
                .hasMessage("current is missing; say how much is done");
        assertThatThrownBy(() -> process.progress(new ProgressBody(-1L, 10L, null)))
                .hasMessage("progress must not be negative: -1 of 10");
    }

    @Test
    void submitsChildrenOfTheListedTypes() {
        JobId child = JobId.of(process.spawn(JobDraft.of("child", ControlJson.tree("\"x\""))).id());

        Awaitility.await().until(() -> find(child).state() == JobState.COMPLETED);
        assertThat(find(child).spec().parent()).contains(parent);
    }

    @Test
    void submitsChildrenThatOutliveTheirParent() {
        pool.admin().pauseQueue("later");
        JobId child = JobId.of(process.spawn(JobDraft.of("child", ControlJson.tree("\"x\"")).queue("later")).id());

        end.countDown();
        Awaitility.await().until(() -> find(parent).state() == JobState.COMPLETED);

        assertThat(find(child).state()).isEqualTo(JobState.QUEUED);
    }

    @Test
    void submitsAChildOnceIfTheRequestIsRepeated() {
        JobDraft draft = JobDraft.of("child", ControlJson.tree("\"x\"")).id(JobId.next().toString());

        assertThat(process.spawn(draft)).isEqualTo(process.spawn(draft));
        assertThat(pool.admin().list(JobQuery.all().type("child"))).hasSize(1);
    }

    @Test
    void submitsNothingElse() {
        assertDenied(JobDraft.of("parent", null), "this job may not submit jobs of type 'parent'; add it to 'spawns'");
        assertDenied(JobDraft.of("run", null), "because they carry command lines");
        assertDenied(JobDraft.of("batch", null), "because they carry command lines");
        assertDenied(JobDraft.of("child", null).tags(Set.of("heddle-batch")), "is reserved");
        assertDenied(JobDraft.of("child", null).parent(JobId.next().toString()), "children of its own only");
    }

    private void assertDenied(JobDraft draft, String message) {
        assertThatThrownBy(() -> process.spawn(draft)).hasMessageContaining(message)
                .isInstanceOfSatisfying(ControlException.class, e -> assertThat(e.kind()).isEqualTo(Kind.DENIED));
    }

    @Test
    void doesNothingOnceAnotherAttemptHasTheJob() {
        process.job();
        pool.job(parent, PARENT).cancel("enough");

        assertThatThrownBy(() -> process.spawn(JobDraft.of("child", ControlJson.tree("\"x\""))))
                .isInstanceOfSatisfying(ControlException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CONFLICT));
    }
}
