package dev.heddle.job;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * Why an attempt failed, as it is stored and shown.
 *
 * @param category what it means for the next attempt
 * @param message one line for people
 * @param details the stack trace, cut at {@value #MAX_DETAILS} characters
 * @param retryAfter how long to wait at least, where the failing side said so; wins over the backoff
 * @param failedStep the step that failed, where the handler said so
 * @param recoveryHint what a person could do, where the handler said so
 */
public record Failure(FailureCategory category, String message, @Nullable String details,
        @Nullable Duration retryAfter, @Nullable String failedStep, @Nullable String recoveryHint) {

    static final int MAX_DETAILS = 16_000;

    public static Failure of(FailureCategory category, String message) {
        return new Failure(category, message, null, null, null, null);
    }

    /** The failure that an exception stands for, in the category the classifier chose. */
    public static Failure of(FailureCategory category, Throwable cause) {
        return cause instanceof JobException told
                ? new Failure(category, describe(told), stackTrace(told), told.retryAfter().orElse(null),
                        told.failedStep().orElse(null), told.recoveryHint().orElse(null))
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
        return text.getBuffer().length() <= MAX_DETAILS ? text.toString()
                : text.getBuffer().substring(0, MAX_DETAILS);
    }
}
