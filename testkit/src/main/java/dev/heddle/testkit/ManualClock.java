package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

import dev.heddle.env.SteerableClock;

/**
 * A clock for tests: its time changes only when a test advances it, or sets it as an operator sets the clock of a
 * machine. Thread-safe.
 */
public final class ManualClock implements SteerableClock {

    /** One object, so that nobody sees half of a move. */
    private volatile Time time;
    private final List<Consumer<Instant>> others = new CopyOnWriteArrayList<>();
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();

    private record Time(Instant now, Duration elapsed) {}

    /** Creates a clock that shows this time until it is advanced. */
    public ManualClock(Instant start) {
        time = new Time(start, Duration.ZERO);
    }

    @Override
    public Instant instant() {
        return time.now;
    }

    @Override
    public Duration elapsed() {
        return time.elapsed;
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
            Time next = new Time(time.now.plus(timeOfDay), time.elapsed.plus(passed));
            others.forEach(other -> other.accept(next.now));
            time = next;
        }
        listeners.forEach(Runnable::run);
    }

    /**
     * Lets another clock follow this one, such as that of a server: tells it the time now, and each new time just before
     * this clock shows it.
     */
    public synchronized void lead(Consumer<Instant> other) {
        others.add(other);
        other.accept(time.now);
    }

    /** Calls the listener after each advance and each jump. Code that waits for a time uses it to look at the clock again. */
    @Override
    public void onJump(Runnable listener) {
        listeners.add(listener);
    }
}
