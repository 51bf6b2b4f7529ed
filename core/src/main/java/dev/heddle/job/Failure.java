package dev.heddle.job;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, as it is stored and shown.
 *
 * @param category what the failure means for the next attempt
 * @param message one line that describes the failure
 * @param details the stack trace, cut at 16,000 characters; null if there is none
 * @param retryAfter how long to wait before the next attempt, instead of the backoff; null if the handler did not say
 * @param failedStep the step that failed; null if the handler did not say
 * @param recoveryHint what a person could do about it; null if the handler did not say
 */
public record Failure(FailureCategory category, String message, @Nullable String details, @Nullable Duration retryAfter,
        @Nullable String failedStep, @Nullable String recoveryHint) {

    static final int MAX_DETAILS = 16_000;

    /** Returns a failure that has no more than a category and a message. */
    public static Failure of(FailureCategory category, String message) {
        return new Failure(category, message, null, null, null, null);
    }

    /** Returns the failure that an exception describes, in the category that a classifier chose. */
    public static Failure of(FailureCategory category, Throwable cause) {
        return cause instanceof JobException failure
                ? new Failure(category, describe(failure), stackTrace(failure), failure.retryAfter().orElse(null),
                        failure.failedStep().orElse(null), failure.recoveryHint().orElse(null))
                : new Failure(category, describe(cause), stackTrace(cause), null, null, null);
    }

    private static String describe(Throwable cause) {
        String message = cause.getMessage();
        if (cause instanceof JobException && message != null) {
            return message;
        }
        String name = cause.getClass().getSimpleName();
        return message == null || message.isBlank() ? name : name + ": " + message;
    }

    private static String stackTrace(Throwable cause) {
        StringWriter text = new StringWriter();
        cause.printStackTrace(new PrintWriter(text));
        return text.getBuffer().length() <= MAX_DETAILS ? text.toString() : text.getBuffer().substring(0, MAX_DETAILS);
    }
}
