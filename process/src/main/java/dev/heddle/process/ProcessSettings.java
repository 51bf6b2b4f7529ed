package dev.heddle.process;

import java.nio.file.Path;
import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * The settings of {@link Processes}. Immutable; each method returns a changed copy.
 *
 * @param directory the directory of the registry, where the next node on this machine finds what a dead node left;
 *     usually {@code .heddle/processes}
 * @param isolation the strongest isolation to use; default the strongest that the kernel allows
 * @param grace the time a process has to end after SIGTERM before it is killed; default 10 s
 * @param headroom the free memory and disk space required to start another process
 */
public record ProcessSettings(Path directory, Isolation isolation, Duration grace, Headroom headroom) {

    private static final Duration LONGEST_GRACE = Duration.ofHours(24);

    /** Checks the settings. */
    public ProcessSettings {
        requireNonNull(directory, "directory");
        requireNonNull(isolation, "isolation");
        requireNonNull(headroom, "headroom");
        if (grace.isNegative() || grace.compareTo(LONGEST_GRACE) > 0) {
            throw new IllegalArgumentException(
                    "grace must be from 0 to " + LONGEST_GRACE.toHours() + " hours: " + grace);
        }
    }

    /** Returns the default settings with the registry in the given directory. */
    public static ProcessSettings in(Path directory) {
        return new ProcessSettings(directory, Isolation.NAMESPACE, Duration.ofSeconds(10), Headroom.standard());
    }

    /** Returns a copy that isolates processes at most this strongly. */
    public ProcessSettings isolation(Isolation strongest) {
        return new ProcessSettings(directory, strongest, grace, headroom);
    }

    /** Returns a copy that gives processes this long to end after SIGTERM. */
    public ProcessSettings grace(Duration time) {
        return new ProcessSettings(directory, isolation, time, headroom);
    }

    /** Returns a copy that requires this much free memory and disk space. */
    public ProcessSettings headroom(Headroom required) {
        return new ProcessSettings(directory, isolation, grace, required);
    }
}
