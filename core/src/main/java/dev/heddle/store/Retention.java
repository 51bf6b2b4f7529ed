package dev.heddle.store;

import java.time.Duration;

import dev.heddle.job.Limits;

/**
 * How long ended jobs are kept. Dead letters stay until someone deletes them.
 *
 * @param age how long completed and cancelled jobs are kept; default 7 days
 * @param count how many completed and cancelled jobs are kept; default unlimited
 * @param checkpoints how long the checkpoints and steps of ended jobs are kept; default 30 days
 * @param batch how many jobs one transaction deletes at most; default 500
 */
public record Retention(Duration age, long count, Duration checkpoints, int batch) {

    /** Returns the defaults. */
    public static Retention standard() {
        return new Retention(Duration.ofDays(7), Long.MAX_VALUE, Duration.ofDays(30), 500);
    }

    /** Checks the values. */
    public Retention {
        Limits.notNegative("retention: age", age);
        Limits.notNegative("retention: checkpoints", checkpoints);
        Limits.atLeast(1, "retention: batch", batch);
        if (count < 0) {
            throw new IllegalArgumentException("retention: count must not be negative: " + count);
        }
    }
}
