package dev.heddle.testkit.pool;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Attempt;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.DeadLetter;
import dev.heddle.pool.JobFailedException;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.WrongStateException;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Failed jobs: retries, dead letters, and retrying dead letters. */
abstract class FailureContract extends PoolFixture {

    FailureContract(PoolContract contract) {
        super(contract);
    }

    private static JobHandler<Note, String> failingWith(Exception failure) {
        return (note, job) -> {
            throw failure;
        };
    }

    @Test
    void succeedsOnALaterAttemptAndRecordsTheFailedOnes() throws Exception {
        open((note, job) -> {
            if (job.attempt() < 3) {
                throw new IOException("try " + job.attempt());
            }
            return "third time";
        });
        JobHandle<String> handle = submit("x");

        assertThat(handle.await(LONG)).isEqualTo("third time");
        JobDetails story = pool().admin().details(handle.id()).orElseThrow();
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.FAILED, Attempt.End.FAILED,
                Attempt.End.COMPLETED);
        assertThat(story.attempts()).extracting(a -> a.failure() == null ? "" : a.failure().message())
                .containsExactly("IOException: try 1", "IOException: try 2", "");
        assertThat(story.history()).extracting(h -> h.reason()).containsExactly("Retry 1/2: IOException: try 1",
                "Retry 2/2: IOException: try 2");
        assertThat(logged()).contains("Retry 1/2: IOException: try 1 | job:" + handle.id());
    }

    @Test
    void deadLettersAJobWhoseRetriesAreUsedUp() {
        open(failingWith(new IOException("down")));
        JobHandle<String> handle = submit("x");

        Job job = end(handle);
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.reason()).contains("Max retries exceeded (2): IOException: down");
        assertThat(job.counts()).isEqualTo(new Job.Counts(3, 3, 0));
        // A caller that waits may see the end in the store before the node logs it.
        await().until(() -> logged().contains("Max retries exceeded (2): IOException: down | job:" + handle.id()));
        assertThatThrownBy(() -> handle.await(LONG)).isInstanceOf(JobFailedException.class)
                .hasMessageContaining("FAILED").hasMessageContaining("down");
    }

    @Test
    void neverRetriesAPermanentFailure() {
        open(failingWith(JobException.permanent("no such document").hint("check the id")));

        Job job = end(submit("x"));
        assertThat(job.reason()).contains("Permanent failure: no such document");
        assertThat(job.counts().attempt()).isEqualTo(1);
        assertThat(job.failure().orElseThrow().category()).isEqualTo(FailureCategory.PERMANENT);
        assertThat(job.failure().orElseThrow().recoveryHint()).isEqualTo("check the id");
    }

    @Test
    void holdsNoWorkerWhileWaitingForARetry() throws Exception {
        AtomicBoolean first = new AtomicBoolean(true);
        open(steered(builder()).workers(1).retry(RetryPolicy.linear(2, Duration.ofSeconds(10))).register(NOTE,
                (note, job) -> {
                    if (note.text().equals("flaky") && first.getAndSet(false)) {
                        throw new IOException("once");
                    }
                    return "ok";
                }));
        JobHandle<String> flaky = submit("flaky");
        await().until(() -> state(flaky) == JobState.SCHEDULED);
        assertThat(flaky.job().orElseThrow().dueAt()).contains(clock.instant().plusSeconds(10));

        assertThat(submit("other").await(LONG)).isEqualTo("ok");
        clock.advance(Duration.ofSeconds(10));
        assertThat(flaky.await(LONG)).isEqualTo("ok");
    }

    @Test
    void waitsAsLongAsTheFailureRequests() {
        open(steered(builder()).register(NOTE,
                failingWith(JobException.transientFailure("429").retryAfter(Duration.ofSeconds(77)))));
        JobHandle<String> handle = submit("x");

        await().until(() -> state(handle) == JobState.SCHEDULED);
        assertThat(handle.job().orElseThrow().dueAt()).contains(clock.instant().plusSeconds(77));
    }

    @Test
    void respectsTheRetryLimitOfTheJob() {
        open(failingWith(new IOException("down")));

        Job job = end(pool().submit(NOTE.with(new Note("x")).maxRetries(0)));
        assertThat(job.counts().attempt()).isEqualTo(1);
        assertThat(job.reason()).contains("Max retries exceeded (0): IOException: down");
    }

    @Test
    void classifiesPlainExceptionsWithTheClassifierOfTheType() {
        JobType<Note, String> type = NOTE.classifier(failure -> failure.toString().contains("401")
                ? Optional.of(FailureCategory.PERMANENT) : Optional.empty());
        open(builder().register(type, (note, job) -> {
            throw new IllegalStateException(note.text());
        }));

        assertThat(end(submit("status 401")).counts().attempt()).isEqualTo(1);
        assertThat(end(submit("status 500")).counts().attempt()).isEqualTo(3);
    }

    @Test
    void treatsUnknownFailuresAsPermanentIfConfigured() {
        open(builder().unknownFailures(FailureCategory.PERMANENT).register(NOTE,
                failingWith(new IllegalStateException("who knows"))));

        assertThat(end(submit("x")).counts().attempt()).isEqualTo(1);
    }

    @Test
    void survivesAHandlerThatThrowsAnError() throws Exception {
        open(builder().retry(RetryPolicy.none()).register(NOTE, (note, job) -> {
            if (note.text().equals("bad")) {
                throw new StackOverflowError("deep");
            }
            return "fine";
        }));

        assertThat(end(submit("bad")).state()).isEqualTo(JobState.FAILED);
        assertThat(submit("good").await(LONG)).isEqualTo("fine");
    }

    @Test
    void deadLettersAJobWithAnUnreadablePayload() throws Exception {
        open((note, job) -> "read");
        JobType<String, String> wrong = JobType.of("note", String.class, String.class);
        JobHandle<String> unreadable = pool().submit(wrong, "just text");

        Job job = end(unreadable);
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.counts().attempt()).isEqualTo(1);
        assertThat(job.reason().orElseThrow()).contains("payload of job " + job.id())
                .contains("cannot be read as Note");
        assertThat(submit("next").await(LONG)).isEqualTo("read");
    }

    @Test
    void listsShowsAndPurgesDeadLetters() {
        open(builder().retry(RetryPolicy.none()).register(NOTE, failingWith(new IOException("down"))));
        JobHandle<String> first = pool().submit(NOTE.with(new Note("1")).subject("doc-1"));
        end(first);
        JobHandle<String> second = submit("2");
        end(second);

        assertThat(pool().admin().deadLetters().list(1)).extracting(DeadLetter::id).containsExactly(second.id());
        DeadLetter letter = pool().admin().deadLetters().list(JobQuery.all().subject("doc-1")).getFirst();
        assertThat(letter.id()).isEqualTo(first.id());
        assertThat(letter.type()).isEqualTo("note");
        assertThat(letter.subject()).contains("doc-1");
        assertThat(letter.reason()).contains("down");
        assertThat(letter.attempts()).isEqualTo(1);
        assertThat(letter.firstFailure()).isEqualTo(letter.lastFailure());
        assertThat(letter.details().orElseThrow().details()).contains("java.io.IOException: down");
        assertThat(letter.createdAt()).isBeforeOrEqualTo(letter.firstFailure());

        assertThat(pool().admin().deadLetters().purge(JobQuery.all().subject("doc-1"))).isEqualTo(1);
        assertThat(pool().find(first.id())).isEmpty();
        assertThat(pool().admin().deadLetters().find(second.id())).isPresent();
    }

    @Test
    void retriesOneDeadLetterOrAllThatMatch() throws Exception {
        AtomicBoolean down = new AtomicBoolean(true);
        open(builder().retry(RetryPolicy.none()).register(NOTE, (note, job) -> {
            if (down.get()) {
                throw new IOException("down");
            }
            return "up";
        }));
        List<JobHandle<String>> handles = List.of(submit("1"), submit("2"), submit("3"), submit("4"), submit("5"));
        handles.forEach(this::end);
        down.set(false);

        pool().admin().deadLetters().retry(handles.getFirst().id());
        assertThat(handles.getFirst().await(LONG)).isEqualTo("up");
        assertThatThrownBy(() -> pool().admin().deadLetters().retry(handles.getFirst().id()))
                .isInstanceOf(WrongStateException.class).hasMessageContaining("it is COMPLETED");
        assertThat(pool().admin().deadLetters().retryAll(JobQuery.all().type(NOTE).limit(3))).isEqualTo(4);
        for (JobHandle<String> handle : handles) {
            assertThat(handle.await(LONG)).isEqualTo("up");
        }
        assertThat(pool().admin().deadLetters().list(10)).isEmpty();
    }

    @Test
    void callsOnDeadOnceForADeadLetter() {
        List<String> deaths = new CopyOnWriteArrayList<>();
        AtomicInteger attempts = new AtomicInteger();
        open(builder().register(NOTE, new JobHandler<>() {
            @Override
            public String handle(Note note, JobContext job) throws IOException {
                attempts.incrementAndGet();
                throw new IOException("down");
            }

            @Override
            public void onDead(Job job) {
                deaths.add(job.id() + " " + job.state() + " after " + attempts);
                throw new IllegalStateException("the hook fails too");
            }
        }));
        JobHandle<String> handle = submit("x");
        end(handle);

        await().until(() -> !deaths.isEmpty());
        assertThat(deaths).containsExactly(handle.id() + " FAILED after 3");
        await().until(() -> logged().stream().anyMatch(line -> line.contains("Failure hook failed")));
    }
}
