package dev.heddle.batch;

/** Thrown if a batch is invalid. The message is one line: where the problem is, what it is, and what would be valid. */
public final class BatchException extends RuntimeException {

    BatchException(String message) {
        super(message);
    }

    BatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
