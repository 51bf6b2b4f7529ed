package dev.heddle.env;

import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;

/** The clocks, random numbers and threads of this JVM. */
enum SystemEnvironment implements Environment {

    INSTANCE;

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    @Override
    public ThreadFactory threads(String prefix, boolean virtual) {
        return virtual ? Thread.ofVirtual().name(prefix, 0).factory()
                : Thread.ofPlatform().daemon().name(prefix, 0).factory();
    }

    @Override
    public Thread start(String name, Runnable task) {
        return Thread.ofPlatform().daemon().name(name).start(task);
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        LockSupport.parkNanos(blocker, nanos);
    }

    @Override
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public long awaitNanos(Condition condition, long nanos) throws InterruptedException {
        return condition.awaitNanos(nanos);
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }
}
