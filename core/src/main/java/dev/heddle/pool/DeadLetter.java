package dev.heddle.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.JobDetails;
import dev.heddle.store.SavedState;
import org.jspecify.annotations.Nullable;

/**
 * A job that failed for good, with what a person needs to decide whether to retry it. Immutable.
 *
 * @param job the job
 * @param reason why it failed for good
 * @param attempts how many attempts it had
 * @param firstFailure when the first attempt ended
 * @param lastFailure when the last attempt ended
 * @param checkpoint the checkpoint as JSON; null if none was saved
 */
public record DeadLetter(Job job, String reason, int attempts, Instant firstFailure, Instant lastFailure,
        @Nullable String checkpoint) {

    static DeadLetter of(JobDetails details) {
        Job job = details.job();
        List<Attempt> attempts = details.attempts();
        Instant died = job.endedAt().orElse(job.spec().createdAt());
        Instant first = attempts.isEmpty() ? died : attempts.getFirst().endedAt();
        Instant last = attempts.isEmpty() ? died : attempts.getLast().endedAt();
        SavedState saved = details.saved();
        return new DeadLetter(job, job.reason().orElse("unknown"), attempts.size(), first, last,
                saved.checkpointJson());
    }

    /** Returns the id of the job. */
    public JobId id() {
        return job.id();
    }

    /** Returns the name of the job's type. */
    public String type() {
        return job.type();
    }

    /** Returns what the job is about, if it says so. */
    public Optional<String> subject() {
        return job.spec().subject();
    }

    /** Returns why the last failed attempt failed, with its stack trace. */
    public Optional<Failure> details() {
        return job.failure();
    }

    /** Returns when the job was submitted. */
    public Instant createdAt() {
        return job.spec().createdAt();
    }
}
