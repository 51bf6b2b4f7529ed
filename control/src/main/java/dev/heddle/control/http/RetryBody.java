package dev.heddle.control.http;

import org.jspecify.annotations.Nullable;

/**
 * The body of a request that retries a dead letter.
 *
 * @param fromStep the step whose saved result is forgotten with those of all steps after it; null to keep all
 * @param forgetCheckpoint whether to forget the checkpoint; null for no
 */
public record RetryBody(@Nullable String fromStep, @Nullable Boolean forgetCheckpoint) {

    /** Keeps everything that the job has saved. */
    public static final RetryBody PLAIN = new RetryBody(null, null);

    /** Returns whether to forget the checkpoint. */
    public boolean forgetsCheckpoint() {
        return Boolean.TRUE.equals(forgetCheckpoint);
    }
}
