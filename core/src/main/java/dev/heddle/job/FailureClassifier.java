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
 * Finds the category of a plain exception; empty where it does not know, and then the pool's
 * {@code unknownFailures} setting decides. Combine with {@link #orElse}.
 */
@FunctionalInterface
public interface FailureClassifier {

    Optional<FailureCategory> classify(Throwable failure);

    /** This one first, then the other where this one does not know. */
    default FailureClassifier orElse(FailureClassifier other) {
        return failure -> classify(failure).or(() -> other.classify(failure));
    }

    /** Knows {@link JobException} and the common failures of the JDK. */
    static FailureClassifier standard() {
        return failure -> switch (failure) {
            case JobException told -> Optional.of(told.category());
            case FileNotFoundException _,NoSuchFileException _,AccessDeniedException _ -> Optional.of(
                    FailureCategory.PERMANENT);
            case IllegalArgumentException _ -> Optional.of(FailureCategory.PERMANENT);
            case IOException _,UncheckedIOException _,TimeoutException _ ->
                Optional.of(FailureCategory.TRANSIENT);
            case SQLTransientException _,SQLRecoverableException _ -> Optional.of(FailureCategory.TRANSIENT);
            default -> Optional.empty();
        };
    }

    /** The category of an HTTP status: 408, 425, 429 and 5xx may pass, other 4xx will not. */
    static Optional<FailureCategory> ofHttpStatus(int status) {
        if (status == 408 || status == 425 || status == 429 || (status >= 500 && status <= 599)) {
            return Optional.of(FailureCategory.TRANSIENT);
        }
        return status >= 400 && status <= 499 ? Optional.of(FailureCategory.PERMANENT) : Optional.empty();
    }
}
