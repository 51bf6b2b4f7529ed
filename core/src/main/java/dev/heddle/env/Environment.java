package dev.heddle.env;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.random.RandomGenerator;

/**
 * Supplies time, randomness and threads to the engine. Nothing else in the core reads a clock, draws a random number,
 * starts a thread or waits for a time. That allows a simulation to run several nodes under its own scheduler and
 * replay them.
 *
 * <p>Implementations must be thread-safe.
 */
public interface Environment {

    /** Returns the environment of this JVM, with its clocks, random numbers and threads. */
    static Environment system() {
        return SystemEnvironment.INSTANCE;
    }

    /**
     * Returns this environment with another time of day. Waits still follow {@link #nanoTime}; {@link #elapsed} follows
     * the clock if it is a {@link SteerableClock}.
     */
    default Environment withClock(InstantSource clock) {
        return new ClockedEnvironment(this, clock);
    }

    /** Returns the clock for the time of day, which may be set back. */
    InstantSource clock();

    /** Returns a time in nanoseconds that never goes back, like {@link System#nanoTime}. */
    long nanoTime();

    /**
     * Returns the time since a fixed moment. Unlike the time of day, nobody can set it. Everything that lasts for a
     * while is measured by it: time-outs, stalls, grace periods, pauses.
     */
    default Duration elapsed() {
        return Duration.ofNanos(nanoTime());
    }

    /**
     * Returns how long the machine was suspended since a fixed moment, as far as the operating system tells. The time
     * of day goes on meanwhile, but {@link #nanoTime} may not.
     */
    default Duration suspended() {
        return Duration.ZERO;
    }

    /** Returns what this process has used so far; empty if the operating system does not tell. */
    default Optional<ProcessUse> processUse() {
        return Optional.empty();
    }

    /**
     * What a process uses.
     *
     * @param cpu the processor time that it has used since its start
     * @param memory its resident memory in bytes
     */
    record ProcessUse(Duration cpu, long memory) {}

    /** Returns a source of random numbers for the calling thread. */
    RandomGenerator random();

    /** Returns a factory of threads whose names start with the prefix: virtual ones, or daemons. */
    ThreadFactory threads(String prefix, boolean virtual);

    /**
     * Returns an executor that starts each task at once, on threads of {@link #threads}. It may use a thread for several
     * tasks, one after the other.
     */
    ExecutorService threadPool(String prefix, boolean virtual);

    /** Starts a daemon thread. */
    Thread start(String name, Runnable task);

    /** Waits for a thread to end; returns false if the time is over first. The time must be positive. */
    boolean join(Thread thread, Duration atMost) throws InterruptedException;

    /** Parks the calling thread like {@link java.util.concurrent.locks.LockSupport#parkNanos}. */
    void parkNanos(Object blocker, long nanos);

    /**
     * Waits on a condition like {@link Condition#awaitNanos}. May return early for no reason.
     *
     * @param lock the lock of the condition, which the calling thread holds
     * @return the nanoseconds left, zero or less if the time is over
     */
    long awaitNanos(Lock lock, Condition condition, long nanos) throws InterruptedException;

    /** Lets other threads run, like {@link Thread#yield}. Time passes, but perhaps hardly any. */
    void yieldThread();

    /** Makes the calling thread sleep. */
    void sleep(Duration duration) throws InterruptedException;

    /** Returns the name with which the ids of nodes begin; empty for the names of this machine and process. */
    default Optional<String> processName() {
        return Optional.empty();
    }

    /**
     * Returns a number that is larger than all it has returned before: the candidate, if that is. Ids of jobs are made
     * of it.
     */
    long nextStamp(long candidate);
}
