package dev.heddle.external;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The recent crashes of all workers of a type since the last success. Immutable; each method returns a changed copy.
 *
 * @param storm how many crashes in which time are too many
 * @param crashes when they happened, by {@link ExternalWorkforce#now}, oldest first
 */
record CrashWindow(RestartPolicy.Storm storm, List<Duration> crashes) {

    CrashWindow {
        crashes = List.copyOf(crashes);
    }

    static CrashWindow empty(RestartPolicy.Storm storm) {
        return new CrashWindow(storm, List.of());
    }

    CrashWindow crashed(Duration now) {
        Duration oldest = now.minus(storm.within());
        return new CrashWindow(storm,
                Stream.concat(crashes.stream().filter(crash -> crash.compareTo(oldest) > 0), Stream.of(now)).toList());
    }

    CrashWindow succeeded() {
        return empty(storm);
    }

    /** Returns whether there were too many crashes as of the latest one. */
    boolean isStorm() {
        return crashes.size() >= storm.crashes();
    }
}
