package dev.heddle.job;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, as it is stored and shown.
 *
 * @param category what the failure means for the next attempt
 * @param message what happened; cut after {@value Limits#MESSAGE} characters
 * @param details the stack trace, cut after {@value Limits#STACK_TRACE} characters; null if there is none
 * @param retryAfter how long to wait before the next attempt, instead of the backoff; null if the handler did not say
 * @param failedStep the step that failed; null if the handler did not say
 * @param recoveryHint what a person could do about it; null if the handler did not say
 */
public record Failure(FailureCategory category, String message, @Nullable String details, @Nullable Duration retryAfter,
        @Nullable String failedStep, @Nullable String recoveryHint) {

    /** Cuts texts that are too long, and replaces characters that not every store can keep. */
    public Failure {
        message = Limits.cut(message, Limits.MESSAGE);
        details = details == null ? null : Limits.cut(details, Limits.STACK_TRACE);
        failedStep = failedStep == null ? null : Limits.cut(failedStep, Limits.MESSAGE);
        recoveryHint = recoveryHint == null ? null : Limits.cut(recoveryHint, Limits.MESSAGE);
    }

    /** Returns a failure that has no more than a category and a message. */
    public static Failure of(FailureCategory category, String message) {
        return new Failure(category, message, null, null, null, null);
    }

    /** Returns the failure that an exception describes, in the category that a classifier chose. */
    public static Failure of(FailureCategory category, Throwable cause) {
        return cause instanceof JobException failure
                ? new Failure(category, describe(failure), StackTraceText.of(failure),
                        failure.retryAfter().orElse(null),
                        failure.failedStep().orElse(null), failure.recoveryHint().orElse(null))
                : new Failure(category, describe(cause), StackTraceText.of(cause), null, null, null);
    }

    /** Returns the message of a throwable, with the name of its class unless it is a {@link JobException}. */
    static String describe(Throwable cause) {
        String message = StackTraceText.message(cause);
        if (cause instanceof JobException && message != null) {
            return message;
        }
        String name = cause.getClass().getSimpleName();
        return message == null || message.isBlank() ? name : name + ": " + message;
    }

    /** Returns an exception that shows this failure to a caller or in a log, with the stack trace that was recorded. */
    public JobException toException() {
        return JobException.of(this, StackTraceText.parse(details == null ? "" : details));
    }
}
