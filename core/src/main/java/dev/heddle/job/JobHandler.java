package dev.heddle.job;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of one job type. It runs on the threads of workers, for many jobs at once, so it must be safe for use
 * by many threads. A job runs at least once: make the handler idempotent, or split its work into
 * {@link JobContext#step steps}.
 *
 * @param <P> the payload
 * @param <R> the result
 */
@FunctionalInterface
public interface JobHandler<P, R> {

    /**
     * Does the work of one attempt and returns the result of the job, or null if it has none.
     *
     * @throws Exception if the attempt failed; throw a {@link JobException} to say what that means for the next attempt
     */
    @Nullable R handle(P payload, JobContext job) throws Exception;

    /** Called once a job has failed for good, after the commit, on the worker's thread. Exceptions are logged. */
    default void onDead(Job job) {}
}
