package dev.heddle.env;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
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
    public Optional<ProcessUse> processUse() {
        return base.processUse();
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
    public long awaitNanos(Lock lock, Condition condition, long nanos) throws InterruptedException {
        return base.awaitNanos(lock, condition, nanos);
    }

    @Override
    public ExecutorService threadPool(String prefix, boolean virtual) {
        return base.threadPool(prefix, virtual);
    }

    @Override
    public boolean join(Thread thread, Duration atMost) throws InterruptedException {
        return base.join(thread, atMost);
    }

    @Override
    public void yieldThread() {
        base.yieldThread();
    }

    @Override
    public Optional<String> processName() {
        return base.processName();
    }

    @Override
    public long nextStamp(long candidate) {
        return base.nextStamp(candidate);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        base.sleep(duration);
    }
}
