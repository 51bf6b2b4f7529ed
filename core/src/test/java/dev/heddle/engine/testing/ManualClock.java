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
    private volatile Duration elapsed = Duration.ZERO;

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public Duration elapsed() {
        return elapsed;
    }

    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }

    /** Lets time pass, and wakes the threads that sleep by this clock. */
    public void advance(Duration by) {
        elapsed = elapsed.plus(by);
        jump(by);
    }

    /** Sets the time of day while no time passes, and wakes the same threads. */
    public void jump(Duration by) {
        now = now.plus(by);
        listeners.forEach(Runnable::run);
    }
}
