package dev.heddle.job;

import java.time.Duration;

/**
 * When a circuit breaker opens, and when it lets a job try again.
 *
 * @param failures how many failures in a row open it; at least 1
 * @param resetAfter how long it stays open before one job may try; longer than zero
 */
public record BreakerPolicy(int failures, Duration resetAfter) {

    /** Checks the values. */
    public BreakerPolicy {
        Limits.atLeast(1, "breaker failures", failures);
        Limits.positive("breaker reset time", resetAfter);
    }

    /** Returns the default: opens after 5 failures in a row, for 30 s. */
    public static BreakerPolicy standard() {
        return new BreakerPolicy(5, Duration.ofSeconds(30));
    }
}
