package dev.heddle.job;

import java.time.Duration;

/**
 * When a type's circuit breaker opens and when it tries again.
 *
 * @param failures failures in a row that open it
 * @param resetAfter how long it stays open before one job may try
 */
public record BreakerPolicy(int failures, Duration resetAfter) {

    public BreakerPolicy {
        if (failures < 1) {
            throw new IllegalArgumentException("a breaker needs at least 1 failure to open: " + failures);
        }
        Checks.positive("breaker reset time", resetAfter);
    }

    /** Opens after 5 failures in a row, for 30 s. */
    public static BreakerPolicy standard() {
        return new BreakerPolicy(5, Duration.ofSeconds(30));
    }
}
