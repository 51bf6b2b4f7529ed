package dev.heddle.job;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** The delay before each retry of a failed job. Implementations are immutable. */
public sealed interface Backoff {

    /**
     * Returns the delay before a retry.
     *
     * @param retry the number of the retry, from 1
     * @param random the source of jitter
     */
    Duration delay(int retry, RandomGenerator random);

    /**
     * Grows by the same step with each retry, up to {@link Limits#DURATION}.
     *
     * @param step the delay before the first retry; must not be negative
     */
    record Linear(Duration step) implements Backoff {
        /** Checks the step. */
        public Linear {
            Limits.notNegative("backoff", step);
        }

        @Override
        public Duration delay(int retry, RandomGenerator random) {
            Duration delay = step.multipliedBy(retry);
            return delay.compareTo(Limits.DURATION) < 0 ? delay : Limits.DURATION;
        }
    }

    /**
     * Doubles with each retry, up to a cap. Jitter spreads the delays, because jobs that failed together should not all
     * come back at the same moment.
     *
     * @param first the delay before the first retry; must not be negative
     * @param cap the longest delay; must not be negative
     * @param jitter the part of the delay by which it varies to both sides, at least 0 and below 1
     */
    record Exponential(Duration first, Duration cap, double jitter) implements Backoff {
        /** Checks the values. */
        public Exponential {
            Limits.notNegative("backoff", first);
            Limits.notNegative("backoff cap", cap);
            if (!(jitter >= 0 && jitter < 1)) {
                throw new IllegalArgumentException("jitter must be at least 0 and below 1: " + jitter);
            }
        }

        @Override
        public Duration delay(int retry, RandomGenerator random) {
            double doubled = first.toMillis() * Math.pow(2, retry - 1.0);
            double capped = Math.min(doubled, (double) cap.toMillis());
            double spread = jitter == 0 ? 0 : random.nextDouble(-jitter, jitter);
            return Duration.ofMillis(Math.round(Math.min(capped * (1 + spread), (double) Limits.DURATION.toMillis())));
        }
    }
}
