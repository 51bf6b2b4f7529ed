package dev.heddle.job;

/** What a failure means for the next attempt. */
public enum FailureCategory {
    /** May go away by itself: time-outs, rate limits, HTTP 5xx, I/O. Retried with a delay. */
    TRANSIENT,
    /** Will not go away: bad credentials, not found, invalid input. Never retried. */
    PERMANENT,
    /** Some steps are done. Retried; the checkpoint says where to go on. */
    PARTIAL;

    /** Whether another attempt makes sense. */
    public boolean isRetryable() {
        return this != PERMANENT;
    }
}
