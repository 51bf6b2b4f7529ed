package dev.heddle.external;

import java.time.Duration;
import java.util.Optional;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What a worker said about its failure. Thrown as it is, for the pool to judge, where the worker gave no category. */
final class ReportedError extends RuntimeException {

    /** Longer is no wish but a slip, and some dates cannot be kept in a store. */
    private static final Duration LONGEST_WAIT = Duration.ofDays(365);

    private final @Nullable String details;

    private ReportedError(String message, @Nullable String details) {
        super(message, null, false, false);
        this.details = details;
    }

    /** What the error stands for, to be thrown. */
    static RuntimeException of(RpcError error) {
        String message = error.message().isBlank() ? "failed with code " + error.code() : error.message();
        ReportedError reported = new ReportedError(message, Protocol.text(error.data(), "details"));
        return category(error).<RuntimeException>map(category -> told(category, reported, error.data()))
                .orElse(reported);
    }

    private static JobException told(FailureCategory category, ReportedError reported, JsonNode data) {
        JobException told = JobException.of(category, String.valueOf(reported.getMessage()), reported);
        // The worker's stack trace is of interest, not ours.
        told.setStackTrace(new StackTraceElement[0]);
        long retryAfter = data.path("retryAfterMs").asLong(-1);
        if (retryAfter >= 0) {
            told = told.retryAfter(Duration.ofMillis(Math.min(retryAfter, LONGEST_WAIT.toMillis())));
        }
        String step = Protocol.text(data, "failedStep");
        String hint = Protocol.text(data, "recoveryHint");
        told = step == null ? told : told.in(step);
        return hint == null ? told : told.hint(hint);
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

    // As a cause it is printed by its toString, and the worker's own stack trace is what is worth reading.
    @SuppressWarnings("OverrideThrowableToString")
    @Override
    public String toString() {
        return details == null ? String.valueOf(getMessage()) : getMessage() + "\n" + details;
    }
}
