package dev.heddle.external;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.Limits;

/**
 * How the workers of a type are started, watched and replaced. Built by {@link External}.
 *
 * @param command the program and its arguments
 * @param directory the working directory; default the directory of the node
 * @param environment the variables to set; default none
 * @param allowed patterns of variables to inherit even if they look like secrets; default none
 * @param timing intervals and timeouts
 * @param startUps how many workers may be starting at the same time; default 2
 * @param recycling when a healthy worker is replaced; default never
 */
public record ExternalSettings(List<String> command, Path directory, Map<String, String> environment,
        Set<String> allowed, Timing timing, int startUps, Recycling recycling) {

    /**
     * Intervals and timeouts.
     *
     * @param handshake the time from the start of a worker until it is ready; default 10 s
     * @param healthEvery the interval at which an idle worker is pinged; default 30 s
     * @param healthAnswer the time a worker has to answer a ping; default 5 s
     * @param probeAfter the delay after which a degraded worker is pinged; default 5 s
     * @param shutdown the time a worker has to end by itself after a shutdown request; default 1 s
     */
    public record Timing(Duration handshake, Duration healthEvery, Duration healthAnswer, Duration probeAfter,
            Duration shutdown) {

        static final Timing STANDARD = new Timing(Duration.ofSeconds(10), Duration.ofSeconds(30), Duration.ofSeconds(5),
                Duration.ofSeconds(5), Duration.ofSeconds(1));

        /** Checks that all times are longer than zero. */
        public Timing {
            for (Duration time : List.of(handshake, healthEvery, healthAnswer, probeAfter, shutdown)) {
                Limits.positive("each interval and timeout of external workers", time);
            }
        }

        Timing handshake(Duration timeout) {
            return new Timing(timeout, healthEvery, healthAnswer, probeAfter, shutdown);
        }

        Timing health(Duration interval, Duration timeout) {
            return new Timing(handshake, interval, timeout, probeAfter, shutdown);
        }

        Timing probeAfter(Duration delay) {
            return new Timing(handshake, healthEvery, healthAnswer, delay, shutdown);
        }

        /** Returns the interval at which the memory of a worker is measured. */
        Duration memoryEvery() {
            return healthEvery.compareTo(Duration.ofSeconds(5)) < 0 ? healthEvery : Duration.ofSeconds(5);
        }

        /** Returns the interval of the supervisor's periodic checks. */
        Duration tick() {
            Duration quarter = healthEvery.dividedBy(4);
            return quarter.compareTo(Duration.ofSeconds(1)) < 0 ? quarter : Duration.ofSeconds(1);
        }
    }

    /** Copies the collections and checks the command. */
    public ExternalSettings {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        allowed = Set.copyOf(allowed);
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw new IllegalArgumentException("the command is empty; give a program to run");
        }
        Limits.atLeast(1, "startUps", startUps);
    }

    static ExternalSettings of(List<String> command) {
        return new ExternalSettings(command, Path.of(""), Map.of(), Set.of(), Timing.STANDARD, 2, Recycling.never());
    }

    ExternalSettings directory(Path changed) {
        return new ExternalSettings(command, changed, environment, allowed, timing, startUps, recycling);
    }

    ExternalSettings environment(String name, String value) {
        Map<String, String> more = new HashMap<>(environment);
        more.put(name, value);
        return new ExternalSettings(command, directory, more, allowed, timing, startUps, recycling);
    }

    ExternalSettings allowing(Collection<String> patterns) {
        Set<String> more = new HashSet<>(allowed);
        more.addAll(patterns);
        return new ExternalSettings(command, directory, environment, more, timing, startUps, recycling);
    }

    ExternalSettings timing(Timing changed) {
        return new ExternalSettings(command, directory, environment, allowed, changed, startUps, recycling);
    }

    ExternalSettings startUps(int max) {
        return new ExternalSettings(command, directory, environment, allowed, timing, max, recycling);
    }

    ExternalSettings recycling(Recycling changed) {
        return new ExternalSettings(command, directory, environment, allowed, timing, startUps, changed);
    }
}
