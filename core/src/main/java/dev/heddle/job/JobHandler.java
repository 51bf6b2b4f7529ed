package dev.heddle.job;

import org.jspecify.annotations.Nullable;

/**
 * Does the work of one job type. Runs on a worker's thread, possibly many times for one job (at least once),
 * so it should be idempotent or use {@link JobContext#step steps}. What it throws is a failed attempt.
 */
@FunctionalInterface
public interface JobHandler<P, R> {

    /** The result, or null where there is none. */
    @Nullable
    R handle(P payload, JobContext job) throws Exception;

    /** Called once a job is dead, after the commit, on the worker's thread; if it throws, that is logged. */
    default void onDead(Job job) {}
}
