package dev.heddle.dedupe;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * What a store knows of a dedupe key.
 *
 * @param holder the job that has the key and has not ended; null if there is none
 * @param successor the job that has the key once the holder has ended; null if there is none
 * @param memory what the store remembers of the last submission; null if nothing
 */
public record KeyState(@Nullable Member holder, @Nullable Member successor, @Nullable KeyMemory memory) {

    /** Nobody has used the key. */
    public static final KeyState UNUSED = new KeyState(null, null, null);

    /**
     * A job with the key that has not ended.
     *
     * @param id the job
     * @param stage how far it is
     * @param queue the queue in which it counts as QUEUED; null if it does not
     * @param limitGroup the group of jobs with the same limits; null if it has none
     */
    public record Member(JobId id, Stage stage, @Nullable String queue, @Nullable Long limitGroup) {}

    /** How far a job is. */
    public enum Stage {
        /** It waits to run, and can take another payload. */
        UNCLAIMED,
        /** No node holds it, but a part of it is done: it waits for its children, or was woken by them. */
        BEGUN,
        /** A node holds it. */
        HELD,
        /** A node holds it, and it is cancelled. */
        STOPPING
    }

    /**
     * What a store remembers of a key after its last submission.
     *
     * @param submission the id of the last submission
     * @param job the job that stood after it
     * @param since when the first submit came that postponed the start of the job
     * @param until until when the key stays in use although its job has ended; null if it does not
     */
    public record KeyMemory(JobId submission, JobId job, Instant since, @Nullable Instant until) {

        /** Returns the same, moved by the jump of a clock. */
        public KeyMemory moved(Duration by) {
            return new KeyMemory(submission, job, since.plus(by), until == null ? null : until.plus(by));
        }
    }

    /** Returns the job that runs last of those with the key; null if there is none. */
    public @Nullable Member newest() {
        return successor == null ? holder : successor;
    }
}
