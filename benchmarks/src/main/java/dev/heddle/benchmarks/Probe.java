package dev.heddle.benchmarks;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * Sees jobs start and end. A job that runs twice counts once, at its first start: the products promise "at
 * least once".
 */
final class Probe {

    private final AtomicLongArray starts;
    private final AtomicLongArray ends;
    private final AtomicLong firstStart = new AtomicLong();
    private final CountDownLatch left;

    Probe(int jobs) {
        starts = new AtomicLongArray(jobs);
        ends = new AtomicLongArray(jobs);
        left = new CountDownLatch(jobs);
    }

    void started(int number) {
        long now = now();
        if (starts.compareAndSet(number, 0, now) && firstStart.get() == 0) {
            firstStart.compareAndSet(0, now);
        }
    }

    void ended(int number) {
        if (ends.compareAndSet(number, 0, now())) {
            left.countDown();
        }
    }

    /** When the given job's handler was entered, as {@link #now()} tells time. */
    long startOf(int number) {
        return starts.get(number);
    }

    boolean hasStarted(int number) {
        return startOf(number) != 0;
    }

    /** When the first handler of all was entered. */
    long firstStart() {
        return firstStart.get();
    }

    void awaitAll(Duration limit) throws InterruptedException {
        if (!left.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IllegalStateException("after " + limit.toSeconds() + " s " + left.getCount() + " of "
                    + ends.length() + " jobs have not run; the contender lost them or is stuck");
        }
    }

    /** Nanoseconds, never 0: that stands for "not yet". */
    static long now() {
        return System.nanoTime() | 1;
    }
}
