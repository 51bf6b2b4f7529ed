package dev.heddle.job;

/** What a failure means for the next attempt. */
public enum FailureCategory {
    /** May go away on its own: time-outs, rate limits, HTTP 5xx, I/O errors. The job is retried after a delay. */
    TRANSIENT,
    /** Will not go away: bad credentials, not found, invalid input. The job is not retried. */
    PERMANENT,
    /** Some of the work is done. The job is retried and continues from its checkpoint. */
    PARTIAL;

    /** Returns whether the job may be tried again. */
    public boolean isRetryable() {
        return this != PERMANENT;
    }
}
