package dev.heddle.store;

import java.time.Duration;

/**
 * How long ended jobs are kept. Dead letters stay until purged; their checkpoints and steps, and those of
 * cancelled jobs, go by {@code checkpoints}.
 *
 * @param age completed and cancelled jobs older than this go
 * @param count beyond this many completed and cancelled jobs, the oldest go
 * @param checkpoints checkpoints and steps of ended jobs older than this go
 * @param batch the most jobs one transaction deletes
 */
public record Retention(Duration age, long count, Duration checkpoints, int batch) {

    /** 7 days, any number, 30 days. */
    public static Retention standard() {
        return new Retention(Duration.ofDays(7), Long.MAX_VALUE, Duration.ofDays(30), 500);
    }

    public Retention {
        if (age.isNegative() || checkpoints.isNegative() || count < 0 || batch < 1) {
            throw new IllegalArgumentException(
                    "retention must not be negative: age " + age + ", count " + count
                            + ", checkpoints " + checkpoints + ", batch " + batch);
        }
    }
}
