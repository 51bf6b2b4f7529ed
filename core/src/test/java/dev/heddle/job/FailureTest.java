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
        Optional<FailureCategory> lasting = Optional.of(FailureCategory.PERMANENT);
        Optional<FailureCategory> passing = Optional.of(FailureCategory.TRANSIENT);
        return Stream.of(arguments(new IOException("reset"), passing),
                arguments(new TimeoutException(), passing),
                arguments(new SQLTransientConnectionException(), passing),
                arguments(new FileNotFoundException("x"), lasting),
                arguments(new NoSuchFileException("x"), lasting),
                arguments(new IllegalArgumentException("bad input"), lasting),
                arguments(JobException.permanent("no"), lasting),
                arguments(JobException.partial("s", new IOException()), Optional.of(FailureCategory.PARTIAL)),
                arguments(new IllegalStateException("who knows"), Optional.empty()),
                arguments(new StackOverflowError(), Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("exceptions")
    void classifies(Throwable failure, Optional<FailureCategory> expected) {
        assertThat(FailureClassifier.standard().classify(failure)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"200,", "400,PERMANENT", "401,PERMANENT", "403,PERMANENT", "404,PERMANENT", "408,TRANSIENT",
        "429,TRANSIENT", "500,TRANSIENT", "503,TRANSIENT", "599,TRANSIENT"})
    void classifiesHttpStatuses(int status, FailureCategory expected) {
        assertThat(FailureClassifier.ofHttpStatus(status)).isEqualTo(Optional.ofNullable(expected));
    }

    @Test
    void carriesAllThatAHandlerSaid() {
        IOException cause = new IOException("connection reset");
        Failure failure = Failure.of(FailureCategory.PARTIAL,
                JobException.partial("move", cause).retryAfter(Duration.ofSeconds(3))
                        .hint("move it by hand"));

        assertThat(failure.message()).isEqualTo("move: connection reset");
        assertThat(failure.failedStep()).isEqualTo("move");
        assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3));
        assertThat(failure.recoveryHint()).isEqualTo("move it by hand");
        assertThat(failure.details()).contains("Caused by: java.io.IOException: connection reset");
    }

    @Test
    void cutsALongStackTrace() {
        Failure failure = Failure.of(FailureCategory.TRANSIENT,
                new IllegalStateException("x".repeat(50_000)));

        assertThat(failure.details()).hasSize(Failure.MAX_DETAILS);
    }
}
