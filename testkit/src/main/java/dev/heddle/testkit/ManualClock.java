package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.env.SteerableClock;

/** A clock for tests: its time changes only when a test advances it. Thread-safe. */
public final class ManualClock implements SteerableClock {

    private volatile Instant now;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    /** Creates a clock that shows this time until it is advanced. */
    public ManualClock(Instant start) {
        now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /**
     * Moves the time forward, then calls the listeners on the calling thread, in the order they were added.
     *
     * @throws IllegalArgumentException if the duration is negative
     */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("cannot advance the clock by a negative duration: " + by);
        }
        move(by);
        listeners.forEach(Runnable::run);
    }

    private synchronized void move(Duration by) {
        now = now.plus(by);
    }

    /** Calls the listener after each advance. Code that waits for a time uses it to look at the clock again. */
    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }
}
