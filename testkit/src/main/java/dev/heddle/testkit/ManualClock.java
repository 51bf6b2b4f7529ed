package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.pool.SteerableClock;

/** A clock that stands still until it is told to advance. Safe to use from any thread. */
public final class ManualClock implements SteerableClock {

    private volatile Instant now;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    public ManualClock(Instant start) {
        now = start;
    }

    @Override
    public Instant instant() {
        return now;
    }

    /** Moves the time, then calls the listeners in the calling thread, in the order they were added. */
    public void advance(Duration by) {
        if (by.isNegative()) {
            throw new IllegalArgumentException("a clock does not advance by a negative time: " + by);
        }
        move(by);
        listeners.forEach(Runnable::run);
    }

    private synchronized void move(Duration by) {
        now = now.plus(by);
    }

    /** Calls the listener after each advance, so that what waits for a time can look at the clock again. */
    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }
}
