package dev.heddle.job;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Thrown by a handler to say how it failed. Any other exception works too: a {@link FailureClassifier} then finds the
 * category.
 *
 * {@snippet :
 * throw JobException.partial("move_document", cause).hint("document updated, move it by hand");
 * throw JobException.transientFailure("429 from the API").retryAfter(Duration.ofSeconds(30));
 * }
 */
public final class JobException extends HeddleException {

    private final FailureCategory category;
    private final boolean timeout;
    private final @Nullable Duration retryAfter;
    private final @Nullable String failedStep;
    private final @Nullable String recoveryHint;

    private JobException(FailureCategory category, boolean timeout, String message, @Nullable Throwable cause,
            @Nullable Duration retryAfter, @Nullable String failedStep, @Nullable String recoveryHint) {
        super(message, cause);
        this.category = Objects.requireNonNull(category, "category");
        this.timeout = timeout;
        this.retryAfter = retryAfter;
        this.failedStep = failedStep;
        this.recoveryHint = recoveryHint;
    }

    /** Creates a failure of any category. */
    public static JobException of(FailureCategory category, String message, @Nullable Throwable cause) {
        return new JobException(category, false, message, cause, null, null, null);
    }

    /** Creates a failure that may go away on its own: the job is retried. */
    public static JobException transientFailure(String message) {
        return of(FailureCategory.TRANSIENT, message, null);
    }

    /** Creates a failure with a cause that may go away on its own: the job is retried. */
    public static JobException transientFailure(String message, Throwable cause) {
        return of(FailureCategory.TRANSIENT, message, cause);
    }

    /** Creates a failure that will not go away: the job is not retried. */
    public static JobException permanent(String message) {
        return of(FailureCategory.PERMANENT, message, null);
    }

    /** Creates a failure with a cause that will not go away: the job is not retried. */
    public static JobException permanent(String message, Throwable cause) {
        return of(FailureCategory.PERMANENT, message, cause);
    }

    /** Creates a failure of work that took too long: the attempt counts as timed out, and the job is retried. */
    public static JobException timeout(String message) {
        return new JobException(FailureCategory.TRANSIENT, true, message, null, null, null, null);
    }

    /**
     * Creates a failure of a job that has done some of its work: the job is retried and continues from its checkpoint.
     *
     * @param step the step that failed
     */
    public static JobException partial(String step, Throwable cause) {
        String message = StackTraceText.message(cause);
        return new JobException(FailureCategory.PARTIAL, false,
                step + ": " + (message == null ? cause.getClass().getName() : message), cause, null, step, null);
    }

    static JobException of(Failure failure, StackTraceText.Parsed trace) {
        JobException shown = new JobException(failure.category(), false, failure.message(), trace.cause(),
                failure.retryAfter(), failure.failedStep(), failure.recoveryHint());
        shown.setStackTrace(trace.frames().toArray(StackTraceElement[]::new));
        return shown;
    }

    /**
     * Removes the stack trace and returns this exception. For failures that happened outside this JVM, such as the exit
     * code of a program: where they were thrown says nothing about them.
     */
    public JobException withoutStackTrace() {
        setStackTrace(new StackTraceElement[0]);
        return this;
    }

    /** Returns a copy that names the step that failed. */
    public JobException in(String step) {
        return copy(retryAfter, step, recoveryHint);
    }

    /**
     * Returns a copy with the time to wait before the next attempt, instead of the backoff. A negative time counts as
     * zero, and one beyond {@link Limits#DURATION} means never: the job fails for good.
     */
    public JobException retryAfter(Duration delay) {
        return copy(Objects.requireNonNull(delay, "delay"), failedStep, recoveryHint);
    }

    /** Returns a copy with a hint for the person who looks at the dead letter. */
    public JobException hint(String text) {
        return copy(retryAfter, failedStep, text);
    }

    private JobException copy(@Nullable Duration newRetryAfter, @Nullable String newStep, @Nullable String newHint) {
        JobException copy = new JobException(category, timeout, Objects.requireNonNullElse(getMessage(), ""),
                getCause(), newRetryAfter, newStep, newHint);
        copy.setStackTrace(getStackTrace());
        return copy;
    }

    /** Returns what the failure means for the next attempt. */
    public FailureCategory category() {
        return category;
    }

    /** Returns whether the work took too long. */
    public boolean isTimeout() {
        return timeout;
    }

    /** Returns how long to wait before the next attempt, if the handler said so. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** Returns the step that failed, if the handler said so. */
    public Optional<String> failedStep() {
        return Optional.ofNullable(failedStep);
    }

    /** Returns what a person could do about it, if the handler said so. */
    public Optional<String> recoveryHint() {
        return Optional.ofNullable(recoveryHint);
    }
}
