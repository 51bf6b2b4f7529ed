package dev.heddle.examples.filing;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.heddle.examples.ExampleRunner;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.pool.DeadLetter;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobDetails;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static dev.heddle.examples.ExampleRunner.LONG;
import static org.assertj.core.api.Assertions.assertThat;

class FilingHandlerTest {

    private static final int RETRIES = 2;

    @TempDir
    private Path directory;

    private final FlakyWiki wiki = new FlakyWiki();
    private final FilingHandler handler = new FilingHandler(wiki);
    private final ListAppender<ILoggingEvent> jobLog = new ListAppender<>();

    @BeforeEach
    void listen() {
        jobLog.start();
        ((Logger) LoggerFactory.getLogger("heddle.job.file")).addAppender(jobLog);
    }

    @AfterEach
    void stopListening() {
        ((Logger) LoggerFactory.getLogger("heddle.job.file")).detachAppender(jobLog);
    }

    private Pool open() {
        return ExampleRunner.pool(directory).register(FilingHandler.FILE, handler).open();
    }

    private List<String> warnings() {
        return jobLog.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
    }

    @Test
    void runsEveryStepOnceAndLeavesNoCheckpoint() throws Exception {
        try (Pool pool = open()) {
            JobHandle<Void> handle = pool.submit(FilingHandler.request("doc-7"));

            assertThat(handle.awaitEnd(LONG).state()).isEqualTo(JobState.COMPLETED);
            assertThat(wiki.called).containsExactly(Step.values());
            assertThat(wiki.comments).containsExactly("doc-7: ✅ Document filed.");
            assertThat(pool.admin().details(handle.id()).orElseThrow().saved().checkpoint()).isEmpty();
            assertThat(warnings()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UPDATE_CONTENT", "ADD_SEARCH_TERMS", "MOVE"})
    void retriesACriticalStepFromTheCheckpointAndRepeatsNothing(Step failing) throws Exception {
        wiki.fail(failing, RETRIES);
        List<Step> expected = new ArrayList<>(EnumSet.range(Step.UPDATE_CONTENT, failing));
        expected.add(failing);
        expected.addAll(EnumSet.range(failing, Step.POST_COMMENT));
        try (Pool pool = open()) {
            JobHandle<Void> handle = pool.submit(FilingHandler.request("doc-7"));

            assertThat(handle.awaitEnd(LONG).state()).isEqualTo(JobState.COMPLETED);
            assertThat(wiki.called).containsExactlyElementsOf(expected);
            JobDetails story = pool.admin().details(handle.id()).orElseThrow();
            assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.FAILED,
                    Attempt.End.FAILED, Attempt.End.COMPLETED);
            assertThat(story.saved().checkpoint()).as("deleted when the job completes").isEmpty();
            assertThat(wiki.comments).as("no failure comment").containsExactly("doc-7: ✅ Document filed.");
        }
    }

    @ParameterizedTest
    @CsvSource({"REMOVE_MARKERS, Failed to remove command markers - manual cleanup required",
        "POST_COMMENT, Failed to post success comment"})
    void onlyWarnsIfAnOptionalStepFails(Step failing, String warning) throws Exception {
        wiki.fail(failing, RETRIES);
        try (Pool pool = open()) {
            JobHandle<Void> handle = pool.submit(FilingHandler.request("doc-7"));

            assertThat(handle.awaitEnd(LONG).state()).isEqualTo(JobState.COMPLETED);
            assertThat(wiki.called).as("every step runs once").containsExactly(Step.values());
            assertThat(warnings()).containsExactly(warning);
            JobDetails story = pool.admin().details(handle.id()).orElseThrow();
            assertThat(story.attempts()).hasSize(1);
            assertThat(story.saved().checkpoint()).isEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|',
            textBlock = """
                    UPDATE_CONTENT   | TRANSIENT | update_document_content | Document update failed - safe to retry from beginning
                    ADD_SEARCH_TERMS | PARTIAL   | add_search_terms        | Document updated but search terms failed - retry from this step
                    MOVE             | PARTIAL   | move_document           | Document updated and search terms added, but move failed
                    """)
    void keepsTheCheckpointWithTheDeadLetterOnceRetriesAreUsedUp(Step failing, FailureCategory category,
            String failedStep, String recoveryHint) throws Exception {
        wiki.fail(failing, RETRIES + 1);
        try (Pool pool = open()) {
            JobHandle<Void> handle = pool.submit(FilingHandler.request("doc-7"));
            assertThat(handle.awaitEnd(LONG).state()).isEqualTo(JobState.FAILED);

            DeadLetter letter = pool.admin().deadLetters().find(handle.id()).orElseThrow();
            assertThat(letter.reason()).isEqualTo("Max retries exceeded (2): " + failedStep + ": 503");
            assertThat(letter.subject()).contains("doc-7");
            assertThat(letter.attempts()).isEqualTo(RETRIES + 1);
            Failure failure = letter.details().orElseThrow();
            assertThat(failure.category()).isEqualTo(category);
            assertThat(failure.failedStep()).isEqualTo(failedStep);
            assertThat(failure.recoveryHint()).isEqualTo(recoveryHint);
            assertThat(letter.checkpoint()).isEqualTo(checkpointBefore(failing));
            Awaitility.await().atMost(LONG).until(() -> !wiki.comments.isEmpty());
            assertThat(wiki.comments)
                    .containsExactly("doc-7: ⚠️ Task failed after multiple retries. Task ID: "
                            + handle.id() + ". Manual review may be needed. See logs for details.");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"UPDATE_CONTENT", "ADD_SEARCH_TERMS", "MOVE"})
    void resumesFromTheCheckpointIfAnotherPoolRetriesTheDeadLetter(Step failing) throws Exception {
        wiki.fail(failing, RETRIES + 1);
        Job dead;
        try (Pool pool = open()) {
            dead = pool.submit(FilingHandler.request("doc-7")).awaitEnd(LONG);
        }
        wiki.called.clear();
        try (Pool pool = open()) {
            pool.admin().deadLetters().retry(dead.id());

            assertThat(pool.job(dead.id(), FilingHandler.FILE).awaitEnd(LONG).state())
                    .isEqualTo(JobState.COMPLETED);
            assertThat(wiki.called).containsExactlyElementsOf(EnumSet.range(failing, Step.POST_COMMENT));
        }
    }

    @Test
    void runsTheDemo() throws Exception {
        assertThat(ExampleRunner.printed(FilingDemo::main, directory.resolve("filing.db").toString()))
                .containsExactly(
                        "updated doc-7", "added search terms to doc-7", "could not move doc-7", "moved doc-7",
                        "removed markers from doc-7", "commented on doc-7: ✅ Document filed.");
    }

    private static @Nullable String checkpointBefore(Step failing) {
        return switch (failing) {
            case UPDATE_CONTENT -> null;
            case ADD_SEARCH_TERMS -> "{\"done\":[\"UPDATE_CONTENT\"]}";
            case MOVE -> "{\"done\":[\"UPDATE_CONTENT\",\"ADD_SEARCH_TERMS\"]}";
            case REMOVE_MARKERS, POST_COMMENT -> throw new IllegalArgumentException(failing + " only warns");
        };
    }
}
