package dev.heddle.store;

import java.time.Instant;

import dev.heddle.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * A job to be stored.
 *
 * @param dueAt SCHEDULED until then; QUEUED at once where null
 * @param capacity the most QUEUED jobs its queue may have with this one; {@link #UNLIMITED} for any number
 */
public record NewJob(JobSpec spec, @Nullable Instant dueAt, int capacity) {

    public static final int UNLIMITED = Integer.MAX_VALUE;
}
