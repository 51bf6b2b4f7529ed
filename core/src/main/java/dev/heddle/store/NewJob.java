package dev.heddle.store;

import java.time.Instant;

import dev.heddle.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * A job to store.
 *
 * @param spec what was submitted
 * @param dueAt when the job may run; it is SCHEDULED until then, or QUEUED at once if null
 * @param capacity how many QUEUED jobs its queue may have, including this one; {@link #UNLIMITED} for any number
 */
public record NewJob(JobSpec spec, @Nullable Instant dueAt, int capacity) {

    /** The capacity of a queue without a limit. */
    public static final int UNLIMITED = Integer.MAX_VALUE;
}
