package dev.heddle.process;

import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/**
 * The latest crashes of all processes that are kept together, back to the last success. A value: each change gives a new
 * one.
 *
 * @param storm how many in which time are too many
 * @param crashes when they were, oldest first
 */
public record CrashWindow(RestartPolicy.Storm storm, List<Instant> crashes) {

    public CrashWindow {
        crashes = List.copyOf(crashes);
    }

    public static CrashWindow empty(RestartPolicy.Storm storm) {
        return new CrashWindow(storm, List.of());
    }

    public CrashWindow crashed(Instant now) {
        Instant oldest = now.minus(storm.within());
        return new CrashWindow(storm, Stream.concat(crashes.stream().filter(crash -> crash.isAfter(oldest)),
                Stream.of(now)).toList());
    }

    /** Something works after all. */
    public CrashWindow succeeded() {
        return empty(storm);
    }

    /** Whether there are too many, as of the latest. */
    public boolean isStorm() {
        return crashes.size() >= storm.crashes();
    }
}
