package dev.heddle.job;

import java.time.Duration;

/**
 * How often and after what delay a failed job is tried again.
 *
 * @param maxRetries attempts after the first; 0 for none
 * @param backoff the delay before each
 */
public record RetryPolicy(int maxRetries, Backoff backoff) {

    public RetryPolicy {
        Checks.notNegative("maxRetries", maxRetries);
    }

    /** 2 retries, exponential from 1 s to 5 min with 20 % jitter. */
    public static RetryPolicy standard() {
        return exponential(2, Duration.ofSeconds(1), Duration.ofMinutes(5));
    }

    public static RetryPolicy none() {
        return linear(0, Duration.ZERO);
    }

    /** Waits retry × step. */
    public static RetryPolicy linear(int maxRetries, Duration step) {
        return new RetryPolicy(maxRetries, new Backoff.Linear(step));
    }

    /** Doubles from first to cap, with 20 % jitter. */
    public static RetryPolicy exponential(int maxRetries, Duration first, Duration cap) {
        return new RetryPolicy(maxRetries, new Backoff.Exponential(first, cap, 0.2));
    }
}
