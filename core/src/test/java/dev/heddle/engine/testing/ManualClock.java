package dev.heddle.engine.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.env.SteerableClock;

/** A clock that stands still until a test moves it. */
public final class ManualClock implements SteerableClock {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Instant now = Instant.EPOCH;

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }

    /** Moves the clock and wakes the threads that sleep by it. */
    public void advance(Duration by) {
        now = now.plus(by);
        listeners.forEach(Runnable::run);
    }
}
