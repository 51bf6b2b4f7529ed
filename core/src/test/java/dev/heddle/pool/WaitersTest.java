package dev.heddle.pool;

import java.time.Instant;
import java.util.concurrent.CompletableFuture;

import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The second attempt of a job has failed for good, somebody has retried it, and the telling of the failure comes late. */
class WaitersTest {

    private final Waiters waiters = new Waiters();
    private final JobId id = JobId.next();

    private Job job(JobState state, int attempt) {
        var spec = JobType.of("note", String.class, String.class).with("x").id(id).spec("\"x\"",
                Instant.EPOCH);
        return new Job(1, spec, state, Phase.INGEST, new Job.Counts(attempt, 0, 0), Job.Status.NONE);
    }

    @Test
    void isNotToldOfAFailureThatWasTakenBack() {
        CompletableFuture<Job> future = waiters.join(id);
        assertThat(waiters.expect(job(JobState.QUEUED, 2), future)).isTrue();

        waiters.ended(job(JobState.FAILED, 2));
        assertThat(future).isNotDone();

        waiters.ended(job(JobState.FAILED, 3));
        assertThat(future).isCompletedWithValueMatching(end -> end.counts().attempt() == 3);
    }

    @Test
    void joinsAnewWhereTheFailureCameBeforeItLooked() {
        CompletableFuture<Job> future = waiters.join(id);
        waiters.ended(job(JobState.FAILED, 2));

        assertThat(waiters.expect(job(JobState.QUEUED, 2), future)).isFalse();

        CompletableFuture<Job> next = waiters.join(id);
        assertThat(next).isNotSameAs(future);
        assertThat(waiters.expect(job(JobState.QUEUED, 2), next)).isTrue();
        assertThat(next).isNotDone();
    }

    @Test
    void isToldOfTheAttemptThatItSawRunning() {
        CompletableFuture<Job> future = waiters.join(id);
        waiters.expect(job(JobState.RUNNING, 2), future);

        waiters.ended(job(JobState.FAILED, 2));

        assertThat(future).isCompleted();
    }

    @Test
    void isToldOfAnEndThatCameBeforeItLookedAndStands() {
        CompletableFuture<Job> future = waiters.join(id);
        waiters.ended(job(JobState.FAILED, 2));

        assertThat(waiters.expect(job(JobState.RUNNING, 2), future)).isTrue();
        assertThat(future).isCompleted();
    }

    /** Nobody can take that back, and a job that waits has no attempt to be told by. */
    @Test
    void isToldOfACancelledJobThatWaited() {
        CompletableFuture<Job> future = waiters.join(id);
        waiters.expect(job(JobState.QUEUED, 2), future);

        waiters.ended(job(JobState.CANCELLED, 2));

        assertThat(future).isCompleted();
    }

    @Test
    void goesWhenThePoolClosesWhileItLooks() {
        CompletableFuture<Job> future = waiters.join(id);
        waiters.close();

        assertThat(waiters.expect(job(JobState.QUEUED, 2), future)).isTrue();
        assertThat(future).isCompletedExceptionally();
    }
}
