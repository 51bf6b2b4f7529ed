package dev.heddle.control.model;

import java.time.Duration;

import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/**
 * Selects a chunk of a job's output.
 *
 * @param attempt the number of the attempt; null for the last one
 * @param channel null for standard output
 * @param offset the {@code next} of the previous chunk; null for the beginning
 * @param timeout how long to wait for more output while the job runs; null for not at all
 */
public record OutputQuery(@Nullable Integer attempt, Run.@Nullable Channel channel, @Nullable Long offset,
        @Nullable Duration timeout) {

    /** Selects the first chunk of standard output of the last attempt. */
    public static final OutputQuery ALL = new OutputQuery(null, null, null, null);
}
