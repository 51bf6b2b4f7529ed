package dev.heddle.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import dev.heddle.env.Environment;

/** The time, randomness and threads of one simulated process, with a time of day of its own that can be set. */
final class SimulatedEnvironment implements Environment {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final Scheduler scheduler;
    private final Scheduler.Threads process;
    private final Random random;
    private final Supplier<Duration> skew;
    private long lastStamp;

    /**
     * Creates the environment of a process.
     *
     * @param skew by how much its time of day is ahead; it may change
     */
    SimulatedEnvironment(Scheduler scheduler, Scheduler.Threads process, long seed, Supplier<Duration> skew) {
        this.scheduler = scheduler;
        this.process = process;
        this.random = new Random(seed);
        this.skew = skew;
    }

    @Override
    public InstantSource clock() {
        return () -> START.plusNanos(scheduler.now()).plus(skew.get());
    }

    @Override
    public long nanoTime() {
        return scheduler.now();
    }

    @Override
    public RandomGenerator random() {
        return random;
    }

    @Override
    public ThreadFactory threads(String prefix, boolean virtual) {
        AtomicInteger made = new AtomicInteger();
        return task -> process.newThread(prefix + made.getAndIncrement(), task);
    }

    @Override
    public ExecutorService threadPool(String prefix, boolean virtual) {
        return new ThreadPerTask(threads(prefix, virtual));
    }

    @Override
    public Thread start(String name, Runnable task) {
        Thread thread = process.newThread(name, task);
        thread.start();
        return thread;
    }

    @Override
    public boolean join(Thread thread, Duration atMost) throws InterruptedException {
        return process.join(thread, scheduler.now() + atMost.toNanos());
    }

    @Override
    public void parkNanos(Object blocker, long nanos) {
        scheduler.park(nanos);
    }

    /** A timer of the scheduler cannot wake a condition, but a thread can. */
    @Override
    @SuppressWarnings("WaitNotInLoop") // the caller loops
    public long awaitNanos(Lock lock, Condition condition, long nanos) throws InterruptedException {
        long deadline = scheduler.now() + nanos;
        Scheduler.Timer timer = scheduler.at(deadline, () -> start("heddle-timer", () -> {
            lock.lock();
            try {
                condition.signalAll();
            } finally {
                lock.unlock();
            }
        }));
        try {
            condition.await();
        } finally {
            timer.cancel();
        }
        return deadline - scheduler.now();
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        long deadline = scheduler.now() + duration.toNanos();
        while (scheduler.now() < deadline) {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            scheduler.park(deadline - scheduler.now());
        }
    }

    @Override
    public void yieldThread() {
        scheduler.park(10_000);
    }

    @Override
    public Optional<String> processName() {
        return Optional.of(process.name());
    }

    @Override
    public long nextStamp(long candidate) {
        lastStamp = Math.max(lastStamp + 1, candidate);
        return lastStamp;
    }

    /** Unlike those of the JDK, it is in no list of the JVM, from which a process that dies could not remove it. */
    private static final class ThreadPerTask extends AbstractExecutorService {
        private final ThreadFactory threads;
        private boolean shutDown;

        ThreadPerTask(ThreadFactory threads) {
            this.threads = threads;
        }

        @Override
        public void execute(Runnable task) {
            if (shutDown) {
                throw new RejectedExecutionException("shut down");
            }
            threads.newThread(task).start();
        }

        @Override
        public void shutdown() {
            shutDown = true;
        }

        @Override
        public List<Runnable> shutdownNow() {
            shutDown = true;
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return shutDown;
        }

        @Override
        public boolean isTerminated() {
            return shutDown;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return shutDown;
        }
    }
}
