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
import dev.heddle.store.Bell;
import dev.heddle.store.Care;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What an attempt writes while somebody else changes the row of its job, as whoever submits a child of it does: it waits
 * for the other's commit, and then the row has a version that was not there when the statement began.
 */
class ChangedMeanwhileTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Instant LATER = NOW.plusSeconds(60);

    private final Schemas schemas = new Schemas(Version.V18);
    private final JobSpec spec = new JobSpec(JobId.next(), "mail", "default", 0, "{}", NOW,
            JobSpec.Extras.NONE);
    private PostgresStore store;
    private Fence fence;

    @BeforeEach
    void hold() {
        store = schemas.openNew();
        store.join(new NodeRecord("me", NOW, NOW, Duration.ofHours(1), "[]"), Bell.silent());
        store.insert(List.of(new Submission(List.of(new NewJob(spec, null, NewJob.UNLIMITED)))));
        fence = store.claim(new ClaimRequest("me", NOW, 1, List.of(new Wanted("mail", false, 1)))).jobs()
                .getFirst().fence();
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Applies the change while another transaction has the row, and lets that one commit first. */
    private Job after(Change change) throws Exception {
        try (Connection other = DriverManager.getConnection(schemas.url());
                Statement statement = other.createStatement()) {
            other.setAutoCommit(false);
            statement.execute("UPDATE " + schemas.schema() + ".live SET has_children = FALSE");
            CompletableFuture<List<Verdict>> verdicts = CompletableFuture
                    .supplyAsync(() -> store.apply(List.of(change)));
            await().atMost(Duration.ofSeconds(30)).until(() -> waits(other));
            assertThat(verdicts).isNotDone();

            other.commit();

            assertThat(verdicts.get(30, TimeUnit.SECONDS)).containsExactly(Verdict.APPLIED);
        }
        return store.find(spec.id()).orElseThrow();
    }

    /** Whether somebody waits for what this connection has. */
    private static boolean waits(Connection holder) throws SQLException {
        try (Statement statement = holder.createStatement();
                ResultSet row = statement.executeQuery("""
                        SELECT EXISTS (SELECT 1 FROM pg_stat_activity
                                       WHERE pg_backend_pid() = ANY (pg_blocking_pids(pid)))""")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private Change.Ended ended(Attempt.End end, Transition transition) {
        Failure failure = end == Attempt.End.COMPLETED ? null : Failure.of(FailureCategory.TRANSIENT, "boom");
        return new Change.Ended(fence, new Change.Execution("worker", NOW, NOW, LATER, end, failure),
                transition, false);
    }

    @Test
    void startsAnAttempt() throws Exception {
        Job job = after(new Change.Started(fence, LATER, Care.BLAMED));

        assertThat(job.state()).isEqualTo(JobState.RUNNING);
        assertThat(job.status().startedAt()).isEqualTo(LATER);
    }

    @Test
    void handsAJobBack() throws Exception {
        Job job = after(new Change.HandedBack(fence, "closing", LATER));

        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.status().node()).isNull();
    }

    @Test
    void retriesAJob() throws Exception {
        Job job = after(ended(Attempt.End.FAILED, new Transition.Retry(LATER, "Retry 1/2: boom")));

        assertThat(job.state()).isEqualTo(JobState.SCHEDULED);
        assertThat(job.status().dueAt()).isEqualTo(LATER);
        assertThat(job.counts().failures()).isOne();
    }

    @Test
    void completesAJobOnceAndForAll() throws Exception {
        Job job = after(ended(Attempt.End.COMPLETED, new Transition.Complete("1")));

        assertThat(job.state()).isEqualTo(JobState.COMPLETED);
        assertThat(store.tally().live()).isEmpty();
    }

    @Test
    void makesAJobADeadLetterOnceAndForAll() throws Exception {
        Job job = after(ended(Attempt.End.FAILED, new Transition.Die("boom")));

        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(store.tally().live()).isEmpty();
    }
}
