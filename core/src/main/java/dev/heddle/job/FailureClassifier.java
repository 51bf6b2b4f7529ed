package dev.heddle.job;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/**
 * Finds the category of an exception that a handler threw. If no classifier knows the exception, the pool's
 * {@code unknownFailures} setting decides. The same holds for a classifier that throws or returns null. Must be safe
 * for use by many threads.
 */
@FunctionalInterface
public interface FailureClassifier {

    /** Returns the category of a failure; empty if this classifier does not know it. */
    Optional<FailureCategory> classify(Throwable failure);

    /** Returns a classifier that asks this one first, and the other if this one does not know. */
    default FailureClassifier orElse(FailureClassifier other) {
        return failure -> classify(failure).or(() -> other.classify(failure));
    }

    /** Returns the default classifier, which knows {@link JobException} and the common exceptions of the JDK. */
    static FailureClassifier standard() {
        return failure -> switch (failure) {
            case JobException known -> Optional.of(known.category());
            case FileNotFoundException _, NoSuchFileException _, AccessDeniedException _ ->
                Optional.of(FailureCategory.PERMANENT);
            case IllegalArgumentException _ -> Optional.of(FailureCategory.PERMANENT);
            case IOException _, UncheckedIOException _, TimeoutException _ -> Optional.of(FailureCategory.TRANSIENT);
            case SQLTransientException _, SQLRecoverableException _ -> Optional.of(FailureCategory.TRANSIENT);
            default -> Optional.empty();
        };
    }

    /**
     * Returns the category of an HTTP status: 408, 425, 429 and 5xx are transient, other 4xx permanent, all others
     * unknown.
     */
    static Optional<FailureCategory> ofHttpStatus(int status) {
        if (status == 408 || status == 425 || status == 429 || (status >= 500 && status <= 599)) {
            return Optional.of(FailureCategory.TRANSIENT);
        }
        return status >= 400 && status <= 499 ? Optional.of(FailureCategory.PERMANENT) : Optional.empty();
    }
}
