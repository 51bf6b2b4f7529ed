package dev.heddle.engine.support;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.env.Environment;
import dev.heddle.env.SteerableClock;
import org.jspecify.annotations.Nullable;

/** Lets one thread sleep until another raises the wakeup or a time comes. A raise is never lost. */
public final class Wakeup {

    private static final Duration LONGEST_PARK = Duration.ofHours(1);

    private final Environment env;
    private final InstantSource clock;
    private final AtomicBoolean raised = new AtomicBoolean();
    private volatile @Nullable Thread sleeper;

    /** Creates a wakeup for a thread that sleeps for spans of time. */
    public Wakeup(Environment env) {
        this.env = env;
        this.clock = env.clock();
    }

    /** Creates a wakeup for a thread that sleeps until times of day; moving a {@link SteerableClock} wakes it. */
    public static Wakeup byTimeOfDay(Environment env) {
        Wakeup wakeup = new Wakeup(env);
        if (env.clock() instanceof SteerableClock steered) {
            steered.onJump(wakeup::raise);
        }
        return wakeup;
    }

    /** Wakes the sleeper, now or at its next await. Cheap if already raised, so workers may call it for every job. */
    public void raise() {
        if (!raised.get() && raised.compareAndSet(false, true)) {
            LockSupport.unpark(sleeper);
        }
    }

    /** Sleeps until raised or interrupted. */
    public void await() {
        sleeper = Thread.currentThread();
        while (!raised.getAndSet(false) && !Thread.currentThread().isInterrupted()) {
            LockSupport.park(this);
        }
    }

    /** Sleeps until raised, interrupted, or the time of day has come; null means no limit. */
    public void await(@Nullable Instant until) {
        if (until == null) {
            await();
            return;
        }
        sleeper = Thread.currentThread();
        long began = env.nanoTime();
        Duration atMost = Duration.between(clock.instant(), until);
        while (!raised.getAndSet(false) && !Thread.currentThread().isInterrupted()) {
            Duration left = Duration.between(clock.instant(), until);
            if (!(clock instanceof SteerableClock)) {
                // The time of day may be set back; that must not make anyone sleep longer.
                Duration bound = atMost.minusNanos(env.nanoTime() - began);
                left = left.compareTo(bound) < 0 ? left : bound;
            }
            if (!left.isPositive()) {
                return;
            }
            park(left);
        }
    }

    /** Sleeps until raised, interrupted, or for this long, even if the time of day is set. */
    public void await(Duration atMost) {
        sleeper = Thread.currentThread();
        long began = env.nanoTime();
        while (!raised.getAndSet(false) && !Thread.currentThread().isInterrupted()) {
            Duration left = atMost.minusNanos(env.nanoTime() - began);
            if (!left.isPositive()) {
                return;
            }
            park(left);
        }
    }

    private void park(Duration left) {
        Duration bounded = left.compareTo(LONGEST_PARK) < 0 ? left : LONGEST_PARK;
        env.parkNanos(this, (bounded.toMillis() + 1) * 1_000_000);
    }
}
