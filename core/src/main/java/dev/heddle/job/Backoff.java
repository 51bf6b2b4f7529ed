package dev.heddle.job;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long to wait before the n-th retry. */
public sealed interface Backoff {

    /** The delay before retry number {@code retry}, counted from 1. */
    Duration delay(int retry, RandomGenerator random);

    /** {@code retry × step}. */
    record Linear(Duration step) implements Backoff {
        public Linear {
            Checks.notNegative("backoff", step);
        }

        @Override
        public Duration delay(int retry, RandomGenerator random) {
            return step.multipliedBy(retry);
        }
    }

    /**
     * Doubles from {@code first} up to {@code cap}, then spread by {@code jitter} to both sides so that jobs
     * that failed together do not come back together.
     */
    record Exponential(Duration first, Duration cap, double jitter) implements Backoff {
        public Exponential {
            Checks.notNegative("backoff", first);
            Checks.notNegative("backoff cap", cap);
            if (!(jitter >= 0 && jitter < 1)) {
                throw new IllegalArgumentException("jitter must be at least 0 and below 1: " + jitter);
            }
        }

        @Override
        public Duration delay(int retry, RandomGenerator random) {
            double doubled = first.toMillis() * Math.pow(2, retry - 1.0);
            double capped = Math.min(doubled, (double) cap.toMillis());
            double spread = jitter == 0 ? 0 : random.nextDouble(-jitter, jitter);
            return Duration.ofMillis(Math.round(capped * (1 + spread)));
        }
    }
}
