package dev.heddle.engine.support;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.env.Environment;
import dev.heddle.env.SteerableClock;
import org.jspecify.annotations.Nullable;

/** Lets one thread sleep until another raises the wakeup or for some time. A raise is never lost. */
public final class Wakeup {

    private static final Duration LONGEST_PARK = Duration.ofHours(1);

    private final Environment env;
    private final AtomicBoolean raised = new AtomicBoolean();
    private volatile @Nullable Thread sleeper;

    /** Creates a wakeup for a thread that sleeps for spans of real time. */
    public Wakeup(Environment env) {
        this.env = env;
    }

    /** Creates a wakeup for a thread that looks at the clock when it wakes; moving a {@link SteerableClock} wakes it. */
    public static Wakeup byClock(Environment env) {
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

    /** Sleeps until raised, interrupted, or for this long; null means no limit. */
    public void await(@Nullable Duration atMost) {
        if (atMost == null) {
            await();
            return;
        }
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
