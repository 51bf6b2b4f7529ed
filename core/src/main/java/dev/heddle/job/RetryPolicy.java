package dev.heddle.job;

import java.time.Duration;

import static java.util.Objects.requireNonNull;

/**
 * How often a failed job is tried again, and after which delay.
 *
 * @param maxRetries how many attempts may follow the first; 0 for none
 * @param backoff the delay before each retry
 */
public record RetryPolicy(int maxRetries, Backoff backoff) {

    /** Checks the values. */
    public RetryPolicy {
        requireNonNull(backoff, "backoff");
        Limits.atLeast(0, "maxRetries", maxRetries);
    }

    /** Returns the default: 2 retries, with delays that double from 1 s up to 5 min, and 20 % jitter. */
    public static RetryPolicy standard() {
        return exponential(2, Duration.ofSeconds(1), Duration.ofMinutes(5));
    }

    /** Returns a policy without retries. */
    public static RetryPolicy none() {
        return linear(0, Duration.ZERO);
    }

    /** Returns a policy whose delays grow by the same step with each retry. */
    public static RetryPolicy linear(int maxRetries, Duration step) {
        return new RetryPolicy(maxRetries, new Backoff.Linear(step));
    }

    /** Returns a policy whose delays double from {@code first} up to {@code cap}, with 20 % jitter. */
    public static RetryPolicy exponential(int maxRetries, Duration first, Duration cap) {
        return new RetryPolicy(maxRetries, new Backoff.Exponential(first, cap, 0.2));
    }
}
