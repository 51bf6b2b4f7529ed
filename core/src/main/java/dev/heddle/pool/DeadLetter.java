package dev.heddle.pool;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.store.Saved;
import dev.heddle.store.Story;
import org.jspecify.annotations.Nullable;

/**
 * A job that failed for good, with what is needed to judge and retry it.
 *
 * @param reason why it is dead
 * @param attempts how many attempts it had
 * @param checkpoint JSON, where one was saved
 */
public record DeadLetter(Job job, String reason, int attempts, Instant firstFailure, Instant lastFailure,
        @Nullable String checkpoint) {

    static DeadLetter of(Story story) {
        Job job = story.job();
        List<Attempt> attempts = story.attempts();
        Instant died = job.endedAt().orElse(job.spec().createdAt());
        Instant first = attempts.isEmpty() ? died : attempts.getFirst().endedAt();
        Instant last = attempts.isEmpty() ? died : attempts.getLast().endedAt();
        Saved saved = story.saved();
        return new DeadLetter(job, job.reason().orElse("unknown"), attempts.size(), first, last,
                saved.checkpointJson());
    }

    public JobId id() {
        return job.id();
    }

    public String type() {
        return job.type();
    }

    public Optional<String> subject() {
        return job.spec().subject();
    }

    /** What the last failed attempt said, with its stack trace. */
    public Optional<Failure> details() {
        return job.failure();
    }

    public Instant createdAt() {
        return job.spec().createdAt();
    }
}
