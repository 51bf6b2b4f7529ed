package dev.heddle.engine;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.heddle.env.Environment.ProcessUse;
import dev.heddle.waiting.NodeStatus.Load;
import org.jspecify.annotations.Nullable;

/** Measures what the process of this node uses, at most every few seconds, and keeps the last measurements. */
final class LoadMeter {

    private static final Duration INTERVAL = Duration.ofSeconds(5);
    /** Ten minutes and more. */
    private static final int KEPT = 120;

    private final InstantSource clock;
    private final Supplier<Duration> elapsed;
    private final Supplier<Optional<ProcessUse>> process;
    private final Deque<Load> loads = new ArrayDeque<>();
    private @Nullable Reading last;

    private record Reading(Duration at, Duration cpu) {}

    LoadMeter(InstantSource clock, Supplier<Duration> elapsed, Supplier<Optional<ProcessUse>> process) {
        this.clock = clock;
        this.elapsed = elapsed;
        this.process = process;
    }

    /** Returns the last measurement, after a new one if it is old; null if there was no time for one. */
    synchronized @Nullable Load now() {
        Reading before = last;
        Duration at = elapsed.get();
        if (before == null || at.minus(before.at).compareTo(INTERVAL) >= 0) {
            process.get().ifPresent(use -> add(before, at, use));
        }
        return loads.peekLast();
    }

    private void add(@Nullable Reading before, Duration at, ProcessUse use) {
        if (before != null) {
            long percent = 100 * use.cpu().minus(before.cpu).toMillis() / at.minus(before.at).toMillis();
            loads.addLast(new Load(clock.instant(), Math.clamp(percent, 0, Integer.MAX_VALUE),
                    use.memory()));
        }
        last = new Reading(at, use.cpu());
        if (loads.size() > KEPT) {
            loads.removeFirst();
        }
    }

    /** Returns the last measurements, oldest first. */
    synchronized List<Load> all() {
        return List.copyOf(loads);
    }
}
