package dev.heddle.cli.types;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import org.jspecify.annotations.Nullable;

/** Fails as its payload says: always, or for a number of attempts. */
final class FailHandler implements JobHandler<FailHandler.Payload, String> {

    /**
     * How to fail.
     *
     * @param message error message
     * @param category transient (default), permanent or partial
     * @param times number of attempts that fail before one succeeds; all by default
     * @param retryAfter seconds to wait before the next attempt
     */
    record Payload(@Nullable String message, @Nullable String category, @Nullable Integer times,
            @Nullable Double retryAfter) {}

    @Override
    public String handle(Payload payload, JobContext job) {
        FailureCategory category = category(payload);
        int times = Objects.requireNonNullElse(payload.times, Integer.MAX_VALUE);
        if (job.attempt() > times) {
            return "attempt " + job.attempt() + " succeeded";
        }
        job.log().info("failing attempt {} as requested", job.attempt());
        throw failure(category, Objects.requireNonNullElse(payload.message, "failed as requested"), payload.retryAfter);
    }

    private static FailureCategory category(Payload payload) {
        String name = Objects.requireNonNullElse(payload.category, "transient").toUpperCase(Locale.ROOT);
        Optional<FailureCategory> known = Arrays.stream(FailureCategory.values())
                .filter(value -> value.name().equals(name)).findFirst();
        return known.orElseThrow(() -> JobException.permanent(
                "unknown category '" + payload.category + "'; use one of " + Arrays.stream(FailureCategory.values())
                        .map(value -> value.name().toLowerCase(Locale.ROOT)).collect(Collectors.joining(", "))));
    }

    private static JobException failure(FailureCategory category, String message, @Nullable Double retryAfter) {
        JobException failure = switch (category) {
            case TRANSIENT -> JobException.transientFailure(message);
            case PERMANENT -> JobException.permanent(message);
            case PARTIAL -> JobException.partial("fail", new IllegalStateException(message));
        };
        return retryAfter == null ? failure.withoutStackTrace()
                : failure.withoutStackTrace()
                        .retryAfter(Duration.ofMillis(Math.round(Math.clamp(retryAfter, 0, 1e6) * 1_000)));
    }
}
