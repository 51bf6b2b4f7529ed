package dev.heddle.pool;

import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Told about ended attempts, after the commit, on the worker's thread, so be quick. What it throws is logged
 * and harms nothing. A pool without listeners lets its workers go on before the commit.
 */
public interface JobListener {

    /** The job is COMPLETED; the result is JSON. */
    default void onCompleted(Job job, @Nullable String result) {}

    /** An attempt failed; {@code job.state()} says whether it is retried (SCHEDULED) or dead (FAILED). */
    default void onFailed(Job job, Failure failure) {}
}
