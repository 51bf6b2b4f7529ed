package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import org.jspecify.annotations.Nullable;

/** Lets one thread sleep until somebody raises the signal or a time comes. A raise is never lost. */
final class Signal {

    private final InstantSource clock;
    private final AtomicBoolean raised = new AtomicBoolean();
    private volatile @Nullable Thread sleeper;

    Signal(InstantSource clock) {
        this.clock = clock;
        if (clock instanceof SteerableClock steered) {
            steered.onJump(this::raise);
        }
    }

    /** Cheap when it is up already, so workers may raise it for every job. */
    void raise() {
        if (!raised.get() && raised.compareAndSet(false, true)) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Sleeps until raised, or until the time, and takes the signal down. Null means for as long as it takes. */
    void await(@Nullable Instant until) {
        sleeper = Thread.currentThread();
        long began = System.nanoTime();
        Duration atMost = until == null ? Duration.ZERO : Duration.between(clock.instant(), until);
        while (!raised.getAndSet(false)) {
            if (until == null) {
                LockSupport.park(this);
            } else {
                Duration left = Duration.between(clock.instant(), until);
                if (!(clock instanceof SteerableClock)) {
                    // The time of day may be set back, and nobody must sleep for longer because of that.
                    left = Collections.min(List.of(left, atMost.minusNanos(System.nanoTime() - began)));
                }
                if (!left.isPositive()) {
                    return;
                }
                LockSupport.parkNanos(this,
                        Math.min(left.toMillis() + 1, Duration.ofHours(1).toMillis()) * 1_000_000);
            }
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }
}
