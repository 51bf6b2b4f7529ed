package dev.heddle.testkit.pool;

import java.io.IOException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.FailureClassifier;
import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobException;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Limits;
import dev.heddle.pool.JobFailedException;
import dev.heddle.pool.JobHandle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/** What handlers throw, and who classifies it: however strange, the job ends with the cause, and its worker lives. */
abstract class ExceptionContract extends PoolFixture {

    private static final Duration FOREVER = ChronoUnit.FOREVER.getDuration();

    ExceptionContract(PoolContract contract) {
        super(contract);
    }

    /** Fails in whatever is asked of it. */
    private static final class Sabotage extends RuntimeException {
        @Override
        public String getMessage() {
            throw new StackOverflowError("message");
        }

        @Override
        @SuppressWarnings("OverrideThrowableToString")
        public String toString() {
            throw new IllegalStateException("text");
        }

        @Override
        public synchronized @Nullable Throwable getCause() {
            throw new AssertionError("cause");
        }

        @Override
        public StackTraceElement[] getStackTrace() {
            throw new UnsupportedOperationException("stack trace");
        }
    }

    /** Opens a pool with one worker; the text of a note says what its handler does. */
    private void open(JobType<Note, String> type) {
        open(builder().workers(1).register(type, (note, job) -> switch (note.text()) {
            case "well" -> "ok";
            case "sabotage" -> throw new Sabotage();
            case "no message" -> throw new IllegalStateException();
            case "cancel" -> throw new JobCancelledException("the order was withdrawn\0");
            case "never" -> throw JobException.transientFailure("429").retryAfter(FOREVER);
            case "at once" -> throw JobException.transientFailure("429").retryAfter(FOREVER.negated());
            case "sleep" -> {
                job.sleep(FOREVER);
                yield "slept";
            }
            case "interrupt" -> {
                Thread.currentThread().interrupt();
                job.sleep(FOREVER);
                yield "slept";
            }
            case "nested" -> throw new IllegalStateException("outer", new IOException("inner"));
            case "not storable" -> throw JobException.permanent("a\0b\uD800").in("s\0").hint("h\uDC00");
            case "long" -> throw new IllegalStateException("x".repeat(5 << 20));
            default -> throw new IOException(note.text());
        }));
    }

    private void assertThatTheWorkerLives() throws Exception {
        assertThat(submit("well").await(LONG)).isEqualTo("ok");
    }

    @Test
    void fallsBackToTheStandardClassifierIfThatOfTheTypeFails() throws Exception {
        FailureClassifier throwing = _ -> {
            throw new StackOverflowError("in the classifier");
        };
        @SuppressWarnings({"NullAway", "OptionalAssignedToNull"}) FailureClassifier answeringNull = _ -> null;
        for (FailureClassifier broken : List.of(throwing, answeringNull)) {
            open(NOTE.classifier(broken));
            Job job = end(submit("real cause"));
            assertThat(job.reason()).contains("Max retries exceeded (2): IOException: real cause");
            assertThat(logged()).anyMatch(line -> line.startsWith("The classifier of job type 'note' failed"));
            assertThatTheWorkerLives();
            pool().close();
        }
    }

    @Test
    void recordsAnExceptionWhoseMethodsThrow() throws Exception {
        open(NOTE);
        Job job = end(submit("sabotage"));

        assertThat(job.reason()).contains("Max retries exceeded (2): Sabotage: (getMessage() failed)");
        assertThatTheWorkerLives();
    }

    @Test
    void classifiesAnExceptionThatTheClassifierCannotLookAt() throws Exception {
        open(NOTE.classifier(
                failure -> requireNonNull(failure.getMessage()).contains("401") ? Optional.of(FailureCategory.PERMANENT)
                        : Optional.empty()));

        assertThat(end(submit("sabotage")).counts().attempt()).isEqualTo(3);
        assertThat(end(submit("no message")).reason()).contains("Max retries exceeded (2): IllegalStateException");
        assertThat(end(submit("401")).counts().attempt()).isEqualTo(1);
        assertThatTheWorkerLives();
    }

    @Test
    void failsForGoodIfARetryIsWantedBeyondAllTime() throws Exception {
        open(NOTE);

        assertThat(end(submit("never")).reason())
                .contains("Permanent failure: no retry, because retryAfter is over 100 years: 429");
        assertThat(end(submit("at once")).reason()).contains("Max retries exceeded (2): 429");
        assertThatTheWorkerLives();
    }

    @Test
    void sleepsAndWaitsWithoutALimit() throws Exception {
        open(NOTE);
        JobHandle<String> sleeping = submit("sleep");
        await().until(() -> state(sleeping) == JobState.RUNNING);
        sleeping.cancel("enough");

        assertThat(sleeping.awaitEnd(FOREVER).state()).isEqualTo(JobState.CANCELLED);
        assertThat(pool().awaitIdle(FOREVER)).isTrue();
        assertThat(pool().admin().awaitFreeWorker(FOREVER)).isTrue();
        assertThat(pool().submit(NOTE.with(new Note("well")), FOREVER).await(FOREVER)).isEqualTo("ok");
    }

    @Test
    void cancelsAJobWhoseHandlerSaysSo() throws Exception {
        open(NOTE);
        JobHandle<String> handle = submit("cancel");
        Job job = end(handle);

        assertThat(job.state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.reason()).contains("the order was withdrawn\uFFFD");
        assertThat(job.counts().attempt()).isEqualTo(1);
        assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> handle.await(LONG))
                .withMessageContaining("CANCELLED");
        assertThatTheWorkerLives();
    }

    @Test
    void failsAnAttemptThatSomebodyElseInterrupted() throws Exception {
        open(NOTE);

        assertThat(end(submit("interrupt")).reason()).contains("Max retries exceeded (2): interrupted while sleeping");
        assertThatTheWorkerLives();
    }

    @Test
    void showsTheCauseToWhomeverWaitsAndToTheLog() throws Exception {
        open(NOTE);
        JobHandle<String> handle = submit("nested");
        end(handle);

        assertThatExceptionOfType(JobFailedException.class).isThrownBy(() -> handle.await(LONG)).satisfies(failed -> {
            JobException cause = (JobException) requireNonNull(failed.getCause());
            assertThat(cause).hasMessage("IllegalStateException: outer");
            assertThat(cause.category()).isEqualTo(FailureCategory.TRANSIENT);
            assertThat(cause.getStackTrace()).extracting(StackTraceElement::getClassName)
                    .contains(ExceptionContract.class.getName());
            assertThat(cause.getCause()).hasToString("java.io.IOException: inner");
        });
        await().until(() -> traces("Retry 1/2").size() + traces("Max retries").size() == 2);
        assertThat(traces("Retry 1/2")).first().asString().contains("outer",
                "\tat " + ExceptionContract.class.getName(), "Caused by: java.io.IOException: inner");
    }

    private List<String> traces(String message) {
        return events().stream().filter(event -> event.getFormattedMessage().startsWith(message))
                .map(ILoggingEvent::getThrowableProxy).filter(thrown -> thrown != null)
                .map(ThrowableProxyUtil::asString).toList();
    }

    @Test
    void boundsMessagesAndStackTraces() throws Exception {
        open(NOTE);
        Job job = end(submit("long"));
        Failure failure = job.failure().orElseThrow();

        assertThat(failure.message()).hasSizeLessThanOrEqualTo(Limits.MESSAGE).endsWith(" more characters)");
        assertThat(failure.details()).hasSizeLessThanOrEqualTo(Limits.STACK_TRACE).contains(" more characters)\n\tat ");
        assertThat(job.reason().orElseThrow()).hasSizeLessThanOrEqualTo(Limits.MESSAGE);
        assertThat(pool().admin().details(job.id()).orElseThrow().history())
                .allSatisfy(entry -> assertThat(entry.reason()).hasSizeLessThanOrEqualTo(Limits.MESSAGE));
        assertThatTheWorkerLives();
    }

    @Test
    void keepsMessagesThatNoStoreCanKeepAsTheyAre() throws Exception {
        open(NOTE);

        assertThat(end(submit("a\uD83D\uDE00b\u001b[2J\nc")).failure().orElseThrow().message())
                .isEqualTo("IOException: a\uD83D\uDE00b\u001b[2J\nc");
        Failure failure = end(submit("not storable")).failure().orElseThrow();
        assertThat(List.of(failure.message(), failure.failedStep(), failure.recoveryHint()))
                .containsExactly("a\uFFFDb\uFFFD", "s\uFFFD", "h\uFFFD");
    }
}
