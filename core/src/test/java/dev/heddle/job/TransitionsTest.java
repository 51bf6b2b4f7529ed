package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/** What the outcome of an attempt means for its job, as a table. */
class TransitionsTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final RetryPolicy TWO_LINEAR = RetryPolicy.linear(2, Duration.ofSeconds(10));

    static Stream<Arguments> table() {
        return Stream.of(arguments(0, null, new Outcome.Completed("42"), new Transition.Complete("42")),
                arguments(2, null, new Outcome.Completed(null), new Transition.Complete(null)),
                arguments(0, null, new Outcome.Cancelled("why"), new Transition.Cancel("why")),
                arguments(2, null, new Outcome.Released("closing"), new Transition.Requeue("closing")),
                arguments(2, null, new Outcome.Crashed(2, true),
                        new Transition.Requeue("it called System.exit, which ended its node")),
                arguments(0, null, new Outcome.Crashed(2, false),
                        new Transition.Fail("orphaned: it called System.exit, and its type is not safe to run twice")),
                arguments(0, null, new Outcome.Crashed(1, true),
                        new Transition.Fail("poison: it crashed its node once")),
                arguments(0, null, failed(FailureCategory.TRANSIENT), retry(10, "Retry 1/2: boom")),
                arguments(1, null, failed(FailureCategory.TRANSIENT), retry(20, "Retry 2/2: boom")),
                arguments(2, null, failed(FailureCategory.TRANSIENT),
                        new Transition.Fail("Max retries exceeded (2): boom")),
                arguments(0, null, failed(FailureCategory.PARTIAL), retry(10, "Retry 1/2: boom")),
                arguments(2, null, failed(FailureCategory.PARTIAL),
                        new Transition.Fail("Max retries exceeded (2): boom")),
                arguments(0, null, failed(FailureCategory.PERMANENT), new Transition.Fail("Permanent failure: boom")),
                arguments(0, null, timedOut(), retry(10, "Retry 1/2: late")),
                arguments(2, null, timedOut(), new Transition.Fail("Max retries exceeded (2): late")),
                arguments(0, 0, failed(FailureCategory.TRANSIENT),
                        new Transition.Fail("Max retries exceeded (0): boom")),
                arguments(4, 5, failed(FailureCategory.TRANSIENT), retry(50, "Retry 5/5: boom")));
    }

    private static Outcome failed(FailureCategory category) {
        return new Outcome.Failed(Failure.of(category, "boom"));
    }

    private static Outcome timedOut() {
        return new Outcome.TimedOut(Failure.of(FailureCategory.TRANSIENT, "late"));
    }

    private static Transition retry(long seconds, String reason) {
        return new Transition.Retry(Duration.ofSeconds(seconds), reason);
    }

    @ParameterizedTest(name = "{0} failures, own retries {1}: {2} -> {3}")
    @MethodSource("table")
    void decides(int failures, @Nullable Integer ownRetries, Outcome outcome, Transition expected) {
        Job job = job(failures, ownRetries);

        assertThat(Transitions.decide(job, outcome, TWO_LINEAR, new Random(1))).isEqualTo(expected);
    }

    @Test
    void waitsForTheDelayOfTheFailureInsteadOfTheBackoff() {
        Failure failure = new Failure(FailureCategory.TRANSIENT, "429", null, Duration.ofSeconds(90), null,
                null);

        assertThat(
                Transitions.decide(job(0, null), new Outcome.Failed(failure), TWO_LINEAR, new Random(1)))
                .isEqualTo(retry(90, "Retry 1/2: 429"));
    }

    @ParameterizedTest
    @CsvSource({"PT-5S, 0", "PT-2562047788015215H, 0", "P36500D, 3153600000", "P36500DT0.001S,",
        "PT2562047788015215H,"})
    void failsForGoodIfTheDelayOfTheFailureIsBeyondAllStores(Duration retryAfter, @Nullable Long delay) {
        Failure failure = new Failure(FailureCategory.TRANSIENT, "429", null, retryAfter, null, null);

        assertThat(
                Transitions.decide(job(0, null), new Outcome.Failed(failure), TWO_LINEAR, new Random(1)))
                .isEqualTo(delay == null
                        ? new Transition.Fail("Permanent failure: no retry, because retryAfter is over 100 years: 429")
                        : retry(delay, "Retry 1/2: 429"));
    }

    private static Job job(int failures, @Nullable Integer ownRetries) {
        JobRequest<String, String> request = JobType.of("t", String.class, String.class).with("");
        JobSpec spec = (ownRetries == null ? request : request.maxRetries(ownRetries)).spec("{}", NOW);
        return new Job(1, spec, Phase.INGEST, new Job.Counts(failures + 1, failures, 0),
                new JobStatus.Running("n", Instant.EPOCH, Instant.EPOCH, null), null);
    }
}
