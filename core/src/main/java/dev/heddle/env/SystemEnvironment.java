package dev.heddle.env;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** The clocks, random numbers and threads of this JVM. */
enum SystemEnvironment implements Environment {

    INSTANCE;

    private static final AtomicLong LAST_STAMP = new AtomicLong();
    /** On Linux, the time since the boot in seconds, with the time in which the machine was suspended. */
    private static final Path UPTIME = Path.of("/proc/uptime");

    @Override
    public InstantSource clock() {
        return InstantSource.system();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    /** On Linux, {@link System#nanoTime} stands still in suspend and {@code /proc/uptime} does not. */
    @Override
    public Duration suspended() {
        try {
            String seconds = Files.readString(UPTIME).split(" ", 2)[0];
            return Duration.ofMillis(new BigDecimal(seconds).movePointRight(3).longValue()).minusNanos(nanoTime());
        } catch (IOException | NumberFormatException e) {
            return Duration.ZERO;
        }
    }

    @Override
    public Optional<ProcessUse> processUse() {
        return ProcessHandle.current().info().totalCpuDuration().map(cpu -> new ProcessUse(cpu, memory()));
    }

    /** Returns the resident memory, or that of the heap if this is not Linux. */
    private static long memory() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) * 1024).findFirst()
                    .orElse(Runtime.getRuntime().totalMemory());
        } catch (IOException | UncheckedIOException e) {
            return Runtime.getRuntime().totalMemory();
        }
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
    public long awaitNanos(Lock lock, Condition condition, long nanos) throws InterruptedException {
        return condition.awaitNanos(nanos);
    }

    @Override
    public ExecutorService threadPool(String prefix, boolean virtual) {
        ThreadFactory threads = threads(prefix, virtual);
        return virtual ? Executors.newThreadPerTaskExecutor(threads) : Executors.newCachedThreadPool(threads);
    }

    @Override
    public boolean join(Thread thread, Duration atMost) throws InterruptedException {
        return thread.join(atMost);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // callers do not depend on what it does
    public void yieldThread() {
        Thread.yield();
    }

    @Override
    public long nextStamp(long candidate) {
        return LAST_STAMP.accumulateAndGet(candidate, (last, next) -> Math.max(last + 1, next));
    }

    @Override
    public void sleep(Duration duration) throws InterruptedException {
        Thread.sleep(duration);
    }
}
