package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.env.SteerableClock;

/**
 * A clock for tests: its time changes only when a test advances it, or sets it as an operator sets the clock of a
 * machine. Thread-safe.
 */
public final class ManualClock implements SteerableClock {

    private volatile Instant now;
    private volatile Duration elapsed = Duration.ZERO;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Creates a clock that shows this time until it is advanced. */
    public ManualClock(Instant start) {
        now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public Duration elapsed() {
        return elapsed;
    }

    /**
     * Lets time pass: moves the time of day forward, then calls the listeners on the calling thread, in the order they were added.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("cannot advance the clock by a negative duration: " + by);
        }
        move(by, by);
    }

    /**
     * Sets the time of day forward or back while no time passes, as NTP does when it corrects a clock. Then calls the
     * listeners.
     */
    public void jump(Duration by) {
        move(by, Duration.ZERO);
    }

    private void move(Duration timeOfDay, Duration passed) {
        synchronized (this) {
            now = now.plus(timeOfDay);
            elapsed = elapsed.plus(passed);
        }
        listeners.forEach(Runnable::run);
    }

    /** Calls the listener after each advance and each jump. Code that waits for a time uses it to look at the clock again. */
    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }
}
