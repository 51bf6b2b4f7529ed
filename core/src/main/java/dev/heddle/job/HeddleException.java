package dev.heddle.job;

import org.jspecify.annotations.Nullable;

/** The root of all exceptions that Heddle throws, except for those that report wrong arguments or wrong use. */
public abstract class HeddleException extends RuntimeException {

    /** Creates an exception with a message that says what happened, which value, and what to do next. */
    protected HeddleException(String message) {
        super(message);
    }

    /** Creates an exception with a message and a cause. */
    protected HeddleException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
