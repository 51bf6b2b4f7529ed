package dev.heddle.pool;

import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import org.jspecify.annotations.Nullable;

/**
 * Hears of ended attempts on this node. It is called after the commit, on the worker's thread, so be quick; what it
 * throws is logged. Must be safe for use by many threads. Listeners cost time, because without them a worker takes its next
 * job before the commit; {@link Pool#observe} does not have that effect.
 */
public interface JobListener {

    /**
     * Called when a job has completed.
     *
     * @param result the result as JSON; null if there is none
     */
    default void onCompleted(Job job, @Nullable String result) {}

    /** Called when an attempt has failed. If the job is SCHEDULED it will be retried, if it is FAILED it will not. */
    default void onFailed(Job job, Failure failure) {}
}
