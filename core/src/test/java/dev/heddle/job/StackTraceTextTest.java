package dev.heddle.job;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Arrays;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class StackTraceTextTest {

    private static Throwable nested() {
        IllegalStateException thrown = new IllegalStateException("outer",
                new IOException("inner", new AssertionError("root")));
        thrown.addSuppressed(new IllegalArgumentException("suppressed", new IOException("its cause")));
        return thrown;
    }

    private static String printed(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString().strip();
    }

    @Test
    void writesWhatTheJdkPrints() {
        Throwable thrown = nested();
        assertThat(StackTraceText.of(thrown)).isEqualTo(printed(thrown));
    }

    @Test
    void isReadAgainWithItsFramesAndCauses() {
        Throwable thrown = nested();
        StackTraceText.Parsed parsed = StackTraceText.parse(String.valueOf(StackTraceText.of(thrown)));

        assertThat(parsed.frames()).extracting(StackTraceElement::toString)
                .isEqualTo(Arrays.stream(thrown.getStackTrace()).map(StackTraceElement::toString).toList());
        assertThat(parsed.cause()).hasToString("java.io.IOException: inner").cause()
                .hasToString("java.lang.AssertionError: root").hasNoCause();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "Caused by: ", "\tat ", "\tat a(b)", "\tat a.b(c:99999999999)", "\t... 3 more",
        "Caused by: a\nCaused by: \n\tat a.b(Native Method)", "\tat a.b(:1)\n\tat a.b()\u0000"})
    void readsAnyText(String text) {
        assertThat(StackTraceText.parse(text)).isNotNull();
        assertThat(new Failure(FailureCategory.PERMANENT, "m", text, null, null, null).toException())
                .hasMessage("m");
    }

    @Test
    void isNotNeededForAnExceptionThatHasNoFrames() {
        assertThat(StackTraceText.of(JobException.permanent("exit 1").withoutStackTrace())).isNull();
    }

    @Test
    void endsForCausesThatNeverEnd() {
        class Endless extends RuntimeException {
            @Override
            public synchronized @Nullable Throwable getCause() {
                return new Endless();
            }
        }
        class Circular extends RuntimeException {
            @Override
            public synchronized @Nullable Throwable getCause() {
                return this;
            }
        }

        assertThat(StackTraceText.of(new Endless())).hasSizeLessThanOrEqualTo(Limits.STACK_TRACE)
                .endsWith("… (the rest of the stack trace was cut)");
        assertThat(StackTraceText.of(new Circular())).hasSizeLessThan(Limits.STACK_TRACE);
    }

    @Test
    void boundsWhatADeepStackWrites() {
        assertThat(StackTraceText.of(overflow())).hasSizeLessThanOrEqualTo(Limits.STACK_TRACE);
    }

    @SuppressWarnings({"InfiniteRecursion", "CatchingThrowable"})
    private static Throwable overflow() {
        try {
            return overflow();
        } catch (StackOverflowError e) {
            return e;
        }
    }
}
