package dev.heddle.control;

import java.time.Duration;

import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;

/**
 * Which piece of a job's output.
 *
 * @param attempt null for the last one
 * @param channel null for the standard output
 * @param offset {@code next} of the piece before; null for the beginning
 * @param timeout how long to wait for more while the job runs; null for not at all
 */
public record OutputQuery(@Nullable Integer attempt, Run.@Nullable Channel channel, @Nullable Long offset,
        @Nullable Duration timeout) {

    public static final OutputQuery ALL = new OutputQuery(null, null, null, null);
}
