package dev.heddle.env;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.random.RandomGenerator;

/** An environment with another time of day. */
record ClockedEnvironment(Environment base, InstantSource clock) implements Environment {

    @Override
    public Environment withClock(InstantSource other) {
        return base.withClock(other);
    }

    @Override
    public long nanoTime() {
        return base.nanoTime();
    }

    @Override
    public Duration elapsed() {
        return clock instanceof SteerableClock steered ? steered.elapsed() : base.elapsed();
    }

    @Override
    public Duration suspended() {
        return clock instanceof SteerableClock ? Duration.ZERO : base.suspended();
    }

    @Override
    public RandomGenerator random() {
        return base.random();
    }

    @Override
    public ThreadFactory threads(String prefix, boolean virtual) {
        return base.threads(prefix, virtual);
    }

    @Override
    public Thread start(String name, Runnable task) {
        return base.start(name, task);
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        base.parkNanos(blocker, nanos);
    }

    @Override
    public long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        return base.awaitNanos(condition, nanos);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        base.sleep(duration);
    }
}
