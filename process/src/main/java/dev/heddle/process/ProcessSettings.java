package dev.heddle.process;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How processes are kept.
 *
 * @param directory where the registry lies, for nodes of this machine to find what a dead one left; in {@code .heddle/processes}
 * @param isolation how firmly processes are held, at most; default as firmly as the kernel allows
 * @param grace how long a process may take to end after it was asked to, before it is killed; default 10 s
 * @param headroom what must be free before another is started
 */
public record ProcessSettings(Path directory, Isolation isolation, Duration grace, Headroom headroom) {

    public ProcessSettings {
        if (grace.isNegative()) {
            throw new IllegalArgumentException("the time to end must not be negative: " + grace);
        }
    }

    public static ProcessSettings in(Path directory) {
        return new ProcessSettings(directory, Isolation.NAMESPACE, Duration.ofSeconds(10),
                Headroom.standard());
    }

    public ProcessSettings isolation(Isolation atMost) {
        return new ProcessSettings(directory, atMost, grace, headroom);
    }

    public ProcessSettings grace(Duration time) {
        return new ProcessSettings(directory, isolation, time, headroom);
    }

    public ProcessSettings headroom(Headroom floor) {
        return new ProcessSettings(directory, isolation, grace, floor);
    }
}
