package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An attempt writes while another transaction changes the row of its job, as the submission of a child does. The
 * statement waits for the commit, and then finds a version of the row that did not exist when it began.
 */
class ConcurrentRowChangeTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    private final Schemas schemas = new Schemas(Version.V18);
    private final JobSpec spec = new JobSpec(JobId.next(), "mail", "default", 0, "{}", NOW, JobSpec.Extras.NONE);
    private PostgresStore store;
    private Fence fence;

    @BeforeEach
    void hold() {
        store = schemas.openNew();
        store.join(new NodeRecord("me", NOW, NOW, Duration.ofHours(1), "[]"), StoreListener.none());
        store.insert(List.of(new Submission(List.of(new NewJob(spec)))));
        fence = store.claim(new ClaimRequest("me", NOW, 1, List.of(new Wanted("mail", false, 1)))).claims().getFirst()
                .fence();
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Applies a change while another transaction has locked the row, and lets that one commit first. */
    private Job applyConcurrently(Change change) throws Exception {
        try (Connection other = DriverManager.getConnection(schemas.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("UPDATE " + schemas.schema() + ".live SET has_children = FALSE");
            CompletableFuture<List<Verdict>> verdicts = CompletableFuture
                    .supplyAsync(() -> store.apply(List.of(change)));
            await().atMost(Duration.ofSeconds(30)).until(() -> isBlocking(other));
            assertThat(verdicts).isNotDone();

            other.commit();

            assertThat(verdicts.get(30, TimeUnit.SECONDS)).containsExactly(Verdict.APPLIED);
        }
        return store.find(spec.id()).orElseThrow();
    }

    /** Returns whether another connection waits for a lock of this one. */
    private static boolean isBlocking(Connection holder) throws SQLException {
        try (Statement statement = holder.createStatement(); ResultSet row = statement.executeQuery("""
                SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                               WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)))""")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private Change.Ended ended(Attempt.End end, Transition transition) {
        Failure failure = end == Attempt.End.COMPLETED ? null : Failure.of(FailureCategory.TRANSIENT, "boom");
        return new Change.Ended(fence, new Change.Execution("worker", NOW, NOW, LATER, end, failure), transition,
                false);
    }

    @Test
    void startsAnAttempt() throws Exception {
        Job job = applyConcurrently(new Change.Started(fence, LATER, StartGuarantee.COMMITTED_FIRST));

        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        assertThat(job.status().startedAt()).isEqualTo(LATER);
    }

    @Test
    void releasesAJob() throws Exception {
        Job job = applyConcurrently(new Change.Released(fence, "closing", LATER));

        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.status().node()).isNull();
    }

    @Test
    void retriesAJob() throws Exception {
        Job job = applyConcurrently(
                ended(Attempt.End.FAILED, new Transition.Retry(Duration.ofHours(1), "Retry 1/2: boom")));

        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.status().dueAt()).isNotNull();
        assertThat(job.counts().failures()).isOne();
    }

    @Test
    void completesAJob() throws Exception {
        Job job = applyConcurrently(ended(Attempt.End.COMPLETED, new Transition.Complete("1")));

        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(store.countJobs().live()).isEmpty();
    }

    @Test
    void deadLettersAJob() throws Exception {
        Job job = applyConcurrently(ended(Attempt.End.FAILED, new Transition.Fail("boom")));

        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(store.countJobs().live()).isEmpty();
    }
}
