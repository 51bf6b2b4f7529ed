package dev.heddle.engine.commit;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobStatus;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Mostly about one race: a failed job is retried, and the report of its failure arrives after that. */
class CompletionWaitersTest {

    private final PendingFutures waiters = new PendingFutures();
    private final JobId id = JobId.next();

    private Job job(JobState state, int attempt) {
        var spec = JobType.of("note", String.class, String.class).with("x").id(id).spec("\"x\"", Instant.EPOCH);
        return new Job(1, spec, Phase.INGEST, new Job.Counts(attempt, 0, 0),
                new JobStatus.Columns(Instant.EPOCH, "n", Instant.EPOCH, Instant.EPOCH, null, null, null, Instant.EPOCH)
                        .in(state),
                null);
    }

    @Test
    void ignoresAFailureThatWasRetried() {
        CompletableFuture<Job> future = waiters.register(id);
        assertThat(waiters.expect(job(JobState.QUEUED, 2), future)).isTrue();

        waiters.complete(job(JobState.FAILED, 2));
        assertThat(future).isNotDone();

        waiters.complete(job(JobState.FAILED, 3));
        assertThat(future).isCompletedWithValueMatching(end -> end.counts().attempt() == 3);
    }

    @Test
    void mustRegisterAgainIfARetriedFailureCompletedTheFuture() {
        CompletableFuture<Job> future = waiters.register(id);
        waiters.complete(job(JobState.FAILED, 2));

        assertThat(waiters.expect(job(JobState.QUEUED, 2), future)).isFalse();

        CompletableFuture<Job> next = waiters.register(id);
        assertThat(next).isNotSameAs(future);
        assertThat(waiters.expect(job(JobState.QUEUED, 2), next)).isTrue();
        assertThat(next).isNotDone();
    }

    @Test
    void completesWithTheEndOfTheAttemptThatWasSeenRunning() {
        CompletableFuture<Job> future = waiters.register(id);
        waiters.expect(job(JobState.RUNNING, 2), future);

        waiters.complete(job(JobState.FAILED, 2));

        assertThat(future).isCompleted();
    }

    @Test
    void completesWithAnEndThatCameBeforeTheJobWasRead() {
        CompletableFuture<Job> future = waiters.register(id);
        waiters.complete(job(JobState.FAILED, 2));

        assertThat(waiters.expect(job(JobState.RUNNING, 2), future)).isTrue();
        assertThat(future).isCompleted();
    }

    /** A cancellation cannot be undone, and a queued job has no attempt that could end. */
    @Test
    void completesWhenAQueuedJobIsCancelled() {
        CompletableFuture<Job> future = waiters.register(id);
        waiters.expect(job(JobState.QUEUED, 2), future);

        waiters.complete(job(JobState.CANCELLED, 2));

        assertThat(future).isCompleted();
    }

    @Test
    void failsIfThePoolClosesWhileTheJobIsRead() {
        CompletableFuture<Job> future = waiters.register(id);
        waiters.close();

        assertThat(waiters.expect(job(JobState.QUEUED, 2), future)).isTrue();
        assertThat(future).isCompletedExceptionally();
    }
}
