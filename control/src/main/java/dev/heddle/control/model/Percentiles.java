package dev.heddle.control.model;

import java.time.Duration;
import java.time.temporal.ChronoUnit;

import dev.heddle.stats.LogHistogram;

/**
 * Percentiles of durations, wrong by at most 5 %.
 *
 * @param p50 half of the durations are not longer
 * @param p95 95 % of the durations are not longer
 * @param p99 99 % of the durations are not longer
 */
public record Percentiles(Duration p50, Duration p95, Duration p99) {

    /** Returns the percentiles of durations. */
    public static Percentiles of(LogHistogram durations) {
        return new Percentiles(rounded(durations.quantile(0.5)), rounded(durations.quantile(0.95)),
                rounded(durations.quantile(0.99)));
    }

    private static Duration rounded(Duration time) {
        return time.truncatedTo(time.compareTo(Duration.ofMillis(10)) < 0 ? ChronoUnit.MICROS : ChronoUnit.MILLIS);
    }
}
