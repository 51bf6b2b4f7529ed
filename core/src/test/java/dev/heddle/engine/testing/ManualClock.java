package dev.heddle.engine.testing;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.heddle.env.SteerableClock;

/** A clock that stands still until a test moves it. */
public final class ManualClock implements SteerableClock {

    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    /** One object, so that nobody sees half of a move. */
    private volatile Time time = new Time(Instant.EPOCH, Duration.ZERO);

    private record Time(Instant now, Duration elapsed) {}

    @Override
    public Instant instant() {
        return time.now;
    }

    @Override
    public Duration elapsed() {
        return time.elapsed;
    }

    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }

    /** Lets time pass, and wakes the threads that sleep by this clock. */
    public void advance(Duration by) {
        move(by, by);
    }

    /** Sets the time of day while no time passes, and wakes the same threads. */
    public void jump(Duration by) {
        move(by, Duration.ZERO);
    }

    private void move(Duration timeOfDay, Duration passed) {
        synchronized (this) {
            time = new Time(time.now.plus(timeOfDay), time.elapsed.plus(passed));
        }
        listeners.forEach(Runnable::run);
    }
}
