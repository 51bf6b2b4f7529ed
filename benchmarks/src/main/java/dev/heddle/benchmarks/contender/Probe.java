package dev.heddle.benchmarks.contender;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

/**
 * Records when jobs start and end. A job that runs twice counts once, at its first start, because the products
 * guarantee "at least once".
 */
public final class Probe {

    private final LongSupplier clock;
    private final AtomicLongArray starts;
    private final AtomicLongArray ends;
    private final AtomicLong firstStart = new AtomicLong();
    private final CountDownLatch left;

    private Probe(int jobs, LongSupplier clock) {
        this.clock = clock;
        starts = new AtomicLongArray(jobs);
        ends = new AtomicLongArray(jobs);
        left = new CountDownLatch(jobs);
    }

    public Probe(int jobs) {
        this(jobs, Probe::now);
    }

    /** Returns a probe that uses {@link #wall()} time, which can be compared with other processes on this machine. */
    public static Probe onWallClock(int jobs) {
        return new Probe(jobs, Probe::wall);
    }

    void started(int number) {
        long now = clock.getAsLong();
        if (starts.compareAndSet(number, 0, now) && firstStart.get() == 0) {
            firstStart.compareAndSet(0, now);
        }
    }

    public void ended(int number) {
        if (ends.compareAndSet(number, 0, clock.getAsLong())) {
            left.countDown();
        }
    }

    /** Returns when the handler of the job started. */
    public long startOf(int number) {
        return starts.get(number);
    }

    public boolean hasStarted(int number) {
        return startOf(number) != 0;
    }

    /** Returns when the first handler started; 0 if none has. */
    public long firstStart() {
        return firstStart.get();
    }

    /** Returns when the last handler ended; 0 if none has. */
    public long lastEnd() {
        return IntStream.range(0, ends.length()).mapToLong(ends::get).max().orElse(0);
    }

    /** Returns how many jobs have ended. */
    public long ended() {
        return ends.length() - left.getCount();
    }

    public void awaitAll(Duration limit) throws InterruptedException {
        if (!left.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("after " + limit.toSeconds() + " s " + left.getCount() + " of "
                    + ends.length() + " jobs have not run; the contender lost them or is stuck");
        }
    }

    /** Returns nanoseconds, but never 0, which means "not yet". */
    public static long now() {
        return System.nanoTime() | 1;
    }

    /** Returns nanoseconds since 1970, by the clock that all processes of this machine share. */
    public static long wall() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, Instant.now());
    }
}
