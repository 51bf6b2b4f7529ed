package dev.heddle.stats;

import java.util.stream.Stream;

import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

class ErrorFingerprintTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', value = {
        "no such order                                         | no such order",
        "order 4711 not found                                  | order … not found",
        "order-17 costs 3.50 EUR, not 1,200.00                 | order-… costs … EUR, not …",
        "10.0.0.1:8080 refused the connection                  | … refused the connection",
        "user 'ann' is unknown                                 | user '…' is unknown",
        "user \"bob\" is unknown                               | user '…' is unknown",
        "cannot read `a/b.txt`                                 | cannot read '…'",
        "job 123e4567-e89b-12d3-a456-426614174000 is gone      | job … is gone",
        "object 0xCAFE is locked                               | object … is locked",
        "commit 9fceb02d0ae598e95dc970b74767f19372d61af8       | commit …",
        "the facade is a deadbeef decade                       | the facade is a deadbeef decade",
        "exit code 3                                           | exit code …",
        "it's the user's fault                                 | it's the user's fault",
        "a   lot    of space                                   | a lot of space"})
    void leavesOutOfAMessageWhatDiffersFromJobToJob(String message, String plain) {
        assertThat(ErrorFingerprint.plain(message)).isEqualTo(plain);
    }

    @Test
    void takesTheFirstLineOfAMessageAndCutsIt() {
        assertThat(ErrorFingerprint.plain("\n first\nsecond")).isEqualTo("first");
        assertThat(ErrorFingerprint.plain("long ".repeat(500))).hasSizeLessThanOrEqualTo(201).endsWith("…");
        assertThat(ErrorFingerprint.plain("")).isEmpty();
    }

    private static Failure failure(String message, @Nullable String trace) {
        return new Failure(FailureCategory.TRANSIENT, message, trace, null, null, null);
    }

    private static final String TRACE = """
            java.net.ConnectException: 10.0.0.%d refused
            \tat java.base/java.net.Socket.connect(Socket.java:%1$d)
            \tat dev.heddle.engine.execute.AttemptRunner.run(AttemptRunner.java:99)
            \tat com.acme.Mailer.lambda$send$%1$d(Mailer.java:%1$d)
            \tat com.acme.App.main(App.java:1)
            Caused by: java.io.IOException: inner""";

    @Test
    void namesTheExceptionAndTheFirstFrameOfTheApplication() {
        ErrorFingerprint print = ErrorFingerprint.of("mail", failure("refused", TRACE.formatted(7)));
        assertThat(print.exception()).isEqualTo("java.net.ConnectException");
        assertThat(print.frame()).isEqualTo("com.acme.Mailer.lambda$send$…");
        assertThat(print.message()).isEqualTo("refused");
        assertThat(print.id()).matches("[0-9a-f]{12}");
    }

    record Pair(String name, ErrorFingerprint one, ErrorFingerprint other, boolean same) {

        @Override
        public String toString() {
            return name;
        }
    }

    private static Stream<Pair> pairs() {
        ErrorFingerprint base = ErrorFingerprint.of("mail", failure("10.0.0.1 refused", TRACE.formatted(1)));
        return Stream.of(
                new Pair("other numbers and lines", base,
                        ErrorFingerprint.of("mail", failure("10.0.0.2 refused", TRACE.formatted(2))), true),
                new Pair("another type", base,
                        ErrorFingerprint.of("fax", failure("10.0.0.1 refused", TRACE.formatted(1))), false),
                new Pair("another message", base,
                        ErrorFingerprint.of("mail", failure("10.0.0.1 hung up", TRACE.formatted(1))), false),
                new Pair("another exception", base, ErrorFingerprint.of("mail",
                        failure("10.0.0.1 refused", TRACE.formatted(1).replace("ConnectE", "BindE"))), false),
                new Pair("another frame", base, ErrorFingerprint.of("mail",
                        failure("10.0.0.1 refused", TRACE.formatted(1).replace("Mailer", "Sender"))), false),
                new Pair("no trace", base, ErrorFingerprint.of("mail", failure("10.0.0.1 refused", null)), false),
                new Pair("the same without a trace",
                        ErrorFingerprint.of("mail", failure("exit code 1", null)),
                        ErrorFingerprint.of("mail", failure("exit code 2", null)), true));
    }

    @ParameterizedTest
    @MethodSource("pairs")
    void isTheSameForFailuresWithTheSameCause(Pair pair) {
        assertThat(pair.one.equals(pair.other)).isEqualTo(pair.same);
        assertThat(pair.one.id().equals(pair.other.id())).isEqualTo(pair.same);
    }

    @Test
    void takesTheFirstFrameIfNoneIsOfTheApplication() {
        Failure failure = failure("x", "java.lang.Error: x\n\tat java.base/java.lang.Math.floorMod(Math.java:1)");
        assertThat(ErrorFingerprint.of("mail", failure).frame()).isEqualTo("java.lang.Math.floorMod");
    }

    @Test
    void acceptsDetailsThatAreNoStackTrace() {
        ErrorFingerprint print = ErrorFingerprint.of("mail", failure("exit code 1", "some output\nof a program"));
        assertThat(print.exception()).isNull();
        assertThat(print.frame()).isNull();
    }
}
