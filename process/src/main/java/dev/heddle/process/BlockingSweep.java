package dev.heddle.process;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Kills the processes of one record in the calling thread, which needs no {@link Sweeper}. */
final class BlockingSweep {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(20);
    private static final Duration TIMEOUT = Duration.ofSeconds(10);

    private BlockingSweep() {}

    /**
     * Kills every process of the record until none is left. The first process does not count as a leftover, because it
     * may only have its own exit left to do. An interrupt is kept for the caller.
     */
    static Sweeper.Result run(Platform platform, ProcessRecord record) {
        List<Long> seen = new ArrayList<>();
        ProcessIdentity first = record.identity();
        long deadline = System.nanoTime() + TIMEOUT.toNanos();
        boolean interrupted = false;
        while (true) {
            List<Long> alive = platform.sweep(List.of(record)).getOrDefault(record.mark(), List.of());
            alive.stream().filter(pid -> !seen.contains(pid) && (first == null || first.pid() != pid))
                    .forEach(seen::add);
            if (alive.isEmpty() || System.nanoTime() > deadline) {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
                return new Sweeper.Result(Math.max(0, seen.size() - alive.size()), alive);
            }
            interrupted |= !pause();
        }
    }

    /** Waits a moment; returns false if it was interrupted. */
    static boolean pause() {
        try {
            Thread.sleep(POLL_INTERVAL);
            return true;
        } catch (InterruptedException e) {
            return false;
        }
    }
}
