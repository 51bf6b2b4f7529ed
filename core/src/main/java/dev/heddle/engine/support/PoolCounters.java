package dev.heddle.engine.support;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import dev.heddle.pool.PoolStats;

/** Counts what the pool does. Memory is bounded by the number of job types. */
public final class PoolCounters {

    private static final int SAMPLES = 100;

    private final LongAdder submitted = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private final LongAdder clockJumps = new LongAdder();
    private final AtomicLong queued = new AtomicLong();
    private final AtomicLong highWater = new AtomicLong();
    private final Map<String, TypeCounters> types = new ConcurrentHashMap<>();
    private final long[] lastNanos = new long[SAMPLES];
    private int samples;

    private static final class TypeCounters {
        final LongAdder count = new LongAdder();
        final LongAdder nanos = new LongAdder();
    }

    /** Counts submitted jobs. */
    public void submitted(int jobs) {
        submitted.add(jobs);
    }

    /** Adjusts the length of the queue, as this node knows it. */
    public void addQueued(long delta) {
        long now = queued.addAndGet(delta);
        if (now > highWater.get()) {
            highWater.accumulateAndGet(now, Math::max);
        }
    }

    /** Counts a jump of the clock that the store goes by. */
    public void clockJumped() {
        clockJumps.increment();
    }

    /** Returns how often the clock has jumped. */
    public long clockJumps() {
        return clockJumps.sum();
    }

    /** Counts a completed job. */
    public void completed() {
        completed.increment();
    }

    /**
     * Counts a failed attempt.
     *
     * @param deadLettered whether it was the last one of its job
     */
    public void failed(boolean deadLettered) {
        failed.increment();
        if (deadLettered) {
            dead.increment();
        }
    }

    /** Adds the duration of an attempt to the averages. */
    public void attemptRan(String type, long nanos) {
        TypeCounters counters = types.computeIfAbsent(type, _ -> new TypeCounters());
        counters.count.increment();
        counters.nanos.add(nanos);
        synchronized (lastNanos) {
            lastNanos[samples++ % SAMPLES] = nanos;
            if (samples == 2 * SAMPLES) {
                samples = SAMPLES;
            }
        }
    }

    /**
     * Returns all counts as of now.
     *
     * @param held the reasons why jobs are held back, by type
     */
    public PoolStats snapshot(int workers, int active, long queuedNow, Map<String, String> held) {
        Map<String, PoolStats.TypeStats> byType = new TreeMap<>();
        types.forEach((type, counters) -> byType.put(type,
                new PoolStats.TypeStats(counters.count.sum(), millis(counters.nanos.sum(), counters.count.sum()))));
        long high = Math.max(highWater.get(), queuedNow);
        return new PoolStats(workers, active, queuedNow, completed.sum(), failed.sum(), dead.sum(), average(),
                submitted.sum(), high, Map.copyOf(byType), Map.copyOf(held));
    }

    private double average() {
        synchronized (lastNanos) {
            int count = Math.min(samples, SAMPLES);
            long sum = 0;
            for (int i = 0; i < count; i++) {
                sum += lastNanos[i];
            }
            return millis(sum, count);
        }
    }

    private static double millis(long nanos, long count) {
        return count == 0 ? 0 : nanos / 1e6 / count;
    }
}
