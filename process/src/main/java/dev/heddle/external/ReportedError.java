package dev.heddle.external;

import java.time.Duration;
import java.util.Optional;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The failure that a worker reported for its job. If the worker gave a category, this is the cause of a
 * {@link JobException} of that category; otherwise it is thrown itself, and the pool classifies it.
 */
final class ReportedError extends RuntimeException {

    private final @Nullable String details;

    private ReportedError(String message, @Nullable String details) {
        super(message, null, false, false);
        this.details = details;
    }

    /** Returns the exception to throw for an error response. */
    static RuntimeException of(RpcError error) {
        String message = error.message().isBlank() ? "failed with code " + error.code() : error.message();
        ReportedError reported = new ReportedError(message, Protocol.text(error.data(), "details"));
        return category(error).<RuntimeException>map(category -> of(category, reported, error.data())).orElse(reported);
    }

    private static JobException of(FailureCategory category, ReportedError reported, JsonNode data) {
        JobException failure = JobException.of(category, String.valueOf(reported.getMessage()), reported)
                .withoutStackTrace();
        long retryAfter = data.path("retryAfterMs").asLong(-1);
        if (retryAfter >= 0) {
            failure = failure.retryAfter(Duration.ofMillis(retryAfter));
        }
        String step = Protocol.text(data, "failedStep");
        String hint = Protocol.text(data, "recoveryHint");
        failure = step == null ? failure : failure.in(step);
        return hint == null ? failure : failure.hint(hint);
    }

    private static Optional<FailureCategory> category(RpcError error) {
        if (error.code() == RpcError.METHOD_NOT_FOUND || error.code() == RpcError.INVALID_PARAMS) {
            return Optional.of(FailureCategory.PERMANENT);
        }
        String name = Protocol.text(error.data(), "category");
        for (FailureCategory category : FailureCategory.values()) {
            if (category.name().equalsIgnoreCase(name)) {
                return Optional.of(category);
            }
        }
        return Optional.empty();
    }

    // A stack trace prints its causes by toString, and the worker's own stack trace is in the details.
    @SuppressWarnings("OverrideThrowableToString")
    @Override
    public String toString() {
        return details == null ? String.valueOf(getMessage()) : getMessage() + "\n" + details;
    }
}
