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

/** Fails in the way that it is told to, always or some times only. */
final class Fail implements JobHandler<Fail.Wish, String> {

    /**
     * How to fail.
     *
     * @param message what to say
     * @param category transient, permanent or partial; transient where it is not given
     * @param times how many attempts fail before one succeeds; all where it is not given
     * @param retryAfter seconds to ask for before the next attempt
     */
    record Wish(@Nullable String message, @Nullable String category, @Nullable Integer times,
            @Nullable Double retryAfter) {}

    @Override
    public String handle(Wish wish, JobContext job) {
        FailureCategory category = category(wish);
        int times = Objects.requireNonNullElse(wish.times, Integer.MAX_VALUE);
        if (job.attempt() > times) {
            return "attempt " + job.attempt() + " succeeded";
        }
        job.log().info("failing attempt {} as asked", job.attempt());
        throw failure(category, Objects.requireNonNullElse(wish.message, "failed as asked"), wish.retryAfter);
    }

    private static FailureCategory category(Wish wish) {
        String name = Objects.requireNonNullElse(wish.category, "transient").toUpperCase(Locale.ROOT);
        Optional<FailureCategory> known = Arrays.stream(FailureCategory.values())
                .filter(value -> value.name().equals(name)).findFirst();
        return known.orElseThrow(
                () -> JobException.permanent("fail has no category '" + wish.category + "'; there are "
                        + Arrays.stream(FailureCategory.values())
                                .map(value -> value.name().toLowerCase(Locale.ROOT))
                                .collect(Collectors.joining(", "))));
    }

    private static JobException failure(FailureCategory category, String message,
            @Nullable Double retryAfter) {
        JobException failure = switch (category) {
            case TRANSIENT -> JobException.transientFailure(message);
            case PERMANENT -> JobException.permanent(message);
            case PARTIAL -> JobException.partial("fail", new IllegalStateException(message));
        };
        return retryAfter == null ? failure
                : failure.retryAfter(Duration.ofMillis(Math.round(Math.clamp(retryAfter, 0, 1e6) * 1_000)));
    }
}
