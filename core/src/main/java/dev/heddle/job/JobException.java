package dev.heddle.job;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * What a handler throws to say how it failed. Plain exceptions work too; the type's
 * {@link FailureClassifier} then finds the category.
 *
 * {@snippet :
 * throw JobException.partial("move_document", cause).hint("document updated, move it by hand");
 * throw JobException.transientFailure("429 from the API").retryAfter(Duration.ofSeconds(30));
 * }
 */
public final class JobException extends RuntimeException {

    private final FailureCategory category;
    private final @Nullable Duration retryAfter;
    private final @Nullable String failedStep;
    private final @Nullable String recoveryHint;

    private JobException(FailureCategory category, String message, @Nullable Throwable cause,
            @Nullable Duration retryAfter, @Nullable String failedStep, @Nullable String recoveryHint) {
        super(message, cause);
        this.category = category;
        this.retryAfter = retryAfter;
        this.failedStep = failedStep;
        this.recoveryHint = recoveryHint;
    }

    /** A failure of the category that somebody else has found for it. */
    public static JobException of(FailureCategory category, String message, @Nullable Throwable cause) {
        return new JobException(category, message, cause, null, null, null);
    }

    /** May succeed later. */
    public static JobException transientFailure(String message) {
        return new JobException(FailureCategory.TRANSIENT, message, null, null, null, null);
    }

    /** May succeed later. */
    public static JobException transientFailure(String message, Throwable cause) {
        return new JobException(FailureCategory.TRANSIENT, message, cause, null, null, null);
    }

    /** Will never succeed. */
    public static JobException permanent(String message) {
        return new JobException(FailureCategory.PERMANENT, message, null, null, null, null);
    }

    /** Will never succeed. */
    public static JobException permanent(String message, Throwable cause) {
        return new JobException(FailureCategory.PERMANENT, message, cause, null, null, null);
    }

    /** Steps before this one are done and in the checkpoint; the next attempt goes on from there. */
    public static JobException partial(String step, Throwable cause) {
        String message = step + ": " + Objects.requireNonNullElse(cause.getMessage(), cause.toString());
        return new JobException(FailureCategory.PARTIAL, message, cause, null, step, null);
    }

    /** The same failure, with the step it happened in. */
    public JobException in(String step) {
        return copy(retryAfter, step, recoveryHint);
    }

    /** The same failure, with the least time to wait before the next attempt. */
    public JobException retryAfter(Duration delay) {
        return copy(delay, failedStep, recoveryHint);
    }

    /** The same failure, with a word for whoever finds the dead letter. */
    public JobException hint(String text) {
        return copy(retryAfter, failedStep, text);
    }

    private JobException copy(@Nullable Duration newRetryAfter, @Nullable String newStep,
            @Nullable String newHint) {
        JobException copy = new JobException(category, Objects.requireNonNullElse(getMessage(), ""),
                getCause(),
                newRetryAfter, newStep, newHint);
        copy.setStackTrace(getStackTrace());
        return copy;
    }

    public FailureCategory category() {
        return category;
    }

    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    public Optional<String> failedStep() {
        return Optional.ofNullable(failedStep);
    }

    public Optional<String> recoveryHint() {
        return Optional.ofNullable(recoveryHint);
    }
}
