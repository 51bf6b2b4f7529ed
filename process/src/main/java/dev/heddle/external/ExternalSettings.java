package dev.heddle.external;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.SpanText;

/**
 * How the workers of a type are started, watched and replaced, as {@link External} collects it.
 *
 * @param command the program and its arguments
 * @param directory where it runs; default the node's own
 * @param environment variables that are set for it; default none
 * @param allowed patterns of variables that it inherits though they look like secrets; default none
 * @param timing how long things may take
 * @param startUps how many workers may be starting at once; default 2
 * @param recycling when a worker that is well is replaced all the same; default never
 */
public record ExternalSettings(List<String> command, Path directory, Map<String, String> environment,
        Set<String> allowed, Timing timing, int startUps, Recycling recycling) {

    /**
     * How long things may take.
     *
     * @param handshake from the start until it is ready; default 10 s
     * @param healthEvery how often a worker that has nothing to do is asked whether it is well; default 30 s
     * @param healthAnswer how long it has to answer; default 5 s
     * @param probeAfter how long a degraded worker is left alone before it is asked; default 5 s
     * @param shutdown how long a worker has to end by itself once it was told to; default 1 s
     */
    public record Timing(Duration handshake, Duration healthEvery, Duration healthAnswer, Duration probeAfter,
            Duration shutdown) {

        static final Timing STANDARD = new Timing(Duration.ofSeconds(10), Duration.ofSeconds(30),
                Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(1));

        public Timing {
            for (Duration time : List.of(handshake, healthEvery, healthAnswer, probeAfter, shutdown)) {
                if (!time.isPositive()) {
                    throw new IllegalArgumentException(
                            "times of external workers must be longer than zero: " + SpanText.of(time));
                }
            }
        }

        Timing handshake(Duration within) {
            return new Timing(within, healthEvery, healthAnswer, probeAfter, shutdown);
        }

        Timing health(Duration every, Duration answer) {
            return new Timing(handshake, every, answer, probeAfter, shutdown);
        }

        Timing probeAfter(Duration rest) {
            return new Timing(handshake, healthEvery, healthAnswer, rest, shutdown);
        }

        /** How often to measure what a worker holds. */
        Duration memoryEvery() {
            return healthEvery.compareTo(Duration.ofSeconds(5)) < 0 ? healthEvery : Duration.ofSeconds(5);
        }

        /** How often to look after the workers. */
        Duration tick() {
            Duration quarter = healthEvery.dividedBy(4);
            return quarter.compareTo(Duration.ofSeconds(1)) < 0 ? quarter : Duration.ofSeconds(1);
        }
    }

    public ExternalSettings {
        command = List.copyOf(command);
        environment = Map.copyOf(environment);
        allowed = Set.copyOf(allowed);
        if (command.isEmpty() || command.getFirst().isBlank()) {
            throw new IllegalArgumentException("there is no program to run");
        }
        if (startUps < 1) {
            throw new IllegalArgumentException(
                    "at least 1 worker must be allowed to start at once: " + startUps);
        }
    }

    static ExternalSettings of(List<String> command) {
        return new ExternalSettings(command, Path.of(""), Map.of(), Set.of(), Timing.STANDARD, 2,
                Recycling.never());
    }

    ExternalSettings directory(Path there) {
        return new ExternalSettings(command, there, environment, allowed, timing, startUps, recycling);
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

    ExternalSettings startUps(int most) {
        return new ExternalSettings(command, directory, environment, allowed, timing, most, recycling);
    }

    ExternalSettings recycling(Recycling when) {
        return new ExternalSettings(command, directory, environment, allowed, timing, startUps, when);
    }
}
