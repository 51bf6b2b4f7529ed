package dev.heddle.job;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

class FailureTest {

    static Stream<Arguments> exceptions() {
        Optional<FailureCategory> permanent = Optional.of(FailureCategory.PERMANENT);
        Optional<FailureCategory> temporary = Optional.of(FailureCategory.TRANSIENT);
        return Stream.of(arguments(new IOException("reset"), temporary),
                arguments(new TimeoutException(), temporary),
                arguments(new SQLTransientConnectionException(), temporary),
                arguments(new FileNotFoundException("x"), permanent),
                arguments(new NoSuchFileException("x"), permanent),
                arguments(new IllegalArgumentException("bad input"), permanent),
                arguments(JobException.permanent("no"), permanent),
                arguments(JobException.partial("s", new IOException()), Optional.of(FailureCategory.PARTIAL)),
                arguments(new IllegalStateException("who knows"), Optional.empty()),
                arguments(new StackOverflowError(), Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void classifiesExceptions(Throwable failure, Optional<FailureCategory> expected) {
        assertThat(FailureClassifier.standard().classify(failure)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"200,", "400,PERMANENT", "401,PERMANENT", "403,PERMANENT", "404,PERMANENT", "408,TRANSIENT",
        "429,TRANSIENT", "500,TRANSIENT", "503,TRANSIENT", "599,TRANSIENT"})
    void classifiesHttpStatuses(int status, FailureCategory expected) {
        assertThat(FailureClassifier.ofHttpStatus(status)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void keepsEverythingTheHandlerReported() {
        IOException cause = new IOException("connection reset");
        Failure failure = Failure.of(FailureCategory.PARTIAL,
                JobException.partial("move", cause).retryAfter(Duration.ofSeconds(3)).hint("move it by hand"));

        assertThat(failure.message()).isEqualTo("move: connection reset");
        assertThat(failure.failedStep()).isEqualTo("move");
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
        assertThat(failure.recoveryHint()).isEqualTo("move it by hand");
        assertThat(failure.details()).contains("Caused by: java.io.IOException: connection reset");
    }

    @Test
    void cutsALongMessageAndKeepsTheFrames() {
        Failure failure = Failure.of(FailureCategory.TRANSIENT, new IllegalStateException("x".repeat(500_000)));

        assertThat(failure.message()).hasSizeLessThanOrEqualTo(Limits.MESSAGE).endsWith(" more characters)");
        assertThat(failure.details()).hasSizeLessThan(Limits.STACK_TRACE).contains(
                "\tat " + FailureTest.class.getName() + ".cutsALongMessageAndKeepsTheFrames(FailureTest.java:");
        assertThat(new Failure(failure.category(), failure.message(), failure.details(), null, null, null))
                .as("read from a store").isEqualTo(failure);
    }
}
