package dev.heddle.benchmarks.trial;

import java.util.Arrays;

/** The time from submit to start in milliseconds; NaN if it was not measured. */
public record Latency(double p50, double p99) {

    static final Latency NONE = new Latency(Double.NaN, Double.NaN);

    static Latency of(double[] millis) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        return new Latency(percentile(sorted, 0.50), percentile(sorted, 0.99));
    }

    /** Returns a percentile by nearest rank: the result is always a measured latency. */
    private static double percentile(double[] sorted, double share) {
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }
}
