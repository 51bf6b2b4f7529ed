package dev.heddle.pool;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Counts what the pool does. Memory is bounded by the number of job types. */
final class Meter {

    private static final int SAMPLES = 100;

    private final LongAdder submitted = new LongAdder();
    private final LongAdder completed = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder dead = new LongAdder();
    private final AtomicLong queued = new AtomicLong();
    private final AtomicLong highWater = new AtomicLong();
    private final Map<String, TypeMeter> types = new ConcurrentHashMap<>();
    private final long[] lastNanos = new long[SAMPLES];
    private int samples;

    private static final class TypeMeter {
        final LongAdder count = new LongAdder();
        final LongAdder nanos = new LongAdder();
    }

    void submitted(int jobs) {
        submitted.add(jobs);
    }

    /** The queue grew or shrank as far as this node knows. */
    void queued(long delta) {
        long now = queued.addAndGet(delta);
        if (now > highWater.get()) {
            highWater.accumulateAndGet(now, Math::max);
        }
    }

    void completed() {
        completed.increment();
    }

    void failed(boolean forGood) {
        failed.increment();
        if (forGood) {
            dead.increment();
        }
    }

    void ran(String type, long nanos) {
        TypeMeter meter = types.computeIfAbsent(type, _ -> new TypeMeter());
        meter.count.increment();
        meter.nanos.add(nanos);
        synchronized (lastNanos) {
            lastNanos[samples++ % SAMPLES] = nanos;
            if (samples == 2 * SAMPLES) {
                samples = SAMPLES;
            }
        }
    }

    PoolStats read(int workers, int active, long queuedNow, Map<String, String> held) {
        Map<String, PoolStats.TypeStats> byType = new TreeMap<>();
        types.forEach((type, meter) -> byType.put(type,
                new PoolStats.TypeStats(meter.count.sum(), millis(meter.nanos.sum(), meter.count.sum()))));
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
