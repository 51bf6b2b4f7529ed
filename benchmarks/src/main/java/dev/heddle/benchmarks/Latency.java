package dev.heddle.benchmarks;

import java.util.Arrays;

/** How long jobs waited for their start, in milliseconds; not a number where it was not measured. */
record Latency(double p50, double p99) {

    static final Latency NONE = new Latency(Double.NaN, Double.NaN);

    static Latency of(double[] millis) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        return new Latency(percentile(sorted, 0.50), percentile(sorted, 0.99));
    }

    /** The nearest rank, so that every answer is a latency that was seen. */
    private static double percentile(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
