package dev.heddle.batch;

/** A batch cannot be as it is written. The message is one line that says where, what is wrong, and what there is. */
public final class BatchException extends RuntimeException {

    BatchException(String message) {
        super(message);
    }

    BatchException(String message, Throwable cause) {
        super(message, cause);
    }
}
