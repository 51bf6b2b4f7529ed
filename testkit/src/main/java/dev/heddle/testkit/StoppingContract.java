package dev.heddle.testkit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.WrongStateException;
import dev.heddle.store.Story;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Attempts that have to end: time-outs, stalls, cancels, pauses. */
abstract class StoppingContract extends PoolFixture {

    StoppingContract(PoolContract door) {
        super(door);
    }

    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void endsAnAttemptThatTakesTooLong() {
        open(builder().retry(RetryPolicy.none()).timeout(Duration.ofMillis(100)).handle(NOTE, (note, job) -> {
            job.sleep(LONG);
            return "";
        }));

        Job job = end(submit("x"));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.reason().orElseThrow()).contains("timed out after 100 ms");
        assertThat(pool().story(job.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.TIMED_OUT);
    }

    @Test
    void retriesAfterATimeout() throws Exception {
        CountDownLatch sleeps = new CountDownLatch(1);
        open(builder().clock(clock).timeout(Duration.ofMinutes(1)).handle(NOTE, (note, job) -> {
            if (job.attempt() == 1) {
                sleeps.countDown();
                job.sleep(LONG);
            }
            return "second";
        }));
        JobHandle<String> handle = submit("x");
        sleeps.await();
        clock.advance(Duration.ofMinutes(1));

        assertThat(handle.await(LONG)).isEqualTo("second");
        assertThat(pool().story(handle.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.TIMED_OUT, Attempt.End.COMPLETED);
    }

    @Test
    void interruptsAHandlerThatDoesNotLookAtItsToken() {
        AtomicBoolean interrupted = new AtomicBoolean();
        open(builder().retry(RetryPolicy.none()).timeout(Duration.ofMillis(50))
                .cancelGrace(Duration.ofMillis(50), LONG).handle(NOTE, (note, job) -> {
                    try {
                        never.await();
                    } catch (InterruptedException e) {
                        interrupted.set(true);
                        throw e;
                    }
                    return "";
                }));

        assertThat(end(submit("x")).state()).isEqualTo(JobState.FAILED);
        assertThat(interrupted).isTrue();
    }

    @Test
    void replacesTheWorkerOfAHandlerThatIgnoresEverything() throws Exception {
        AtomicBoolean letGo = new AtomicBoolean();
        CountDownLatch spins = new CountDownLatch(1);
        CountDownLatch told = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Duration patience = Duration.ofSeconds(1);
        open(builder().clock(clock).workers(1).retry(RetryPolicy.linear(1, Duration.ZERO)).timeout(patience)
                .cancelGrace(patience, patience).handle(NOTE, (note, job) -> {
                    if (note.text().equals("stubborn") && job.attempt() == 1) {
                        job.cancellation().onCancel(told::countDown);
                        spins.countDown();
                        while (!letGo.get()) {
                            if (Thread.currentThread().isInterrupted()) {
                                interrupted.countDown();
                            }
                            Thread.onSpinWait();
                        }
                        return "late";
                    }
                    return "in time";
                }));
        String before = pool().workers().getFirst().id();
        JobHandle<String> stubborn = submit("stubborn");
        for (CountDownLatch ignored : List.of(spins, told, interrupted)) {
            ignored.await();
            clock.advance(patience);
        }

        assertThat(stubborn.await(LONG)).as("the second attempt, on another worker").isEqualTo("in time");
        assertThat(pool().workers()).hasSize(1);
        assertThat(pool().workers().getFirst().id()).isNotEqualTo(before);
        letGo.set(true);
        await().until(() -> logged().stream()
                .anyMatch(line -> line.contains("Late result of job " + stubborn.id())));
        assertThat(stubborn.await(LONG)).isEqualTo("in time");
        assertThat(submit("next").await(LONG)).isEqualTo("in time");
    }

    @Test
    void endsAnAttemptThatIsSilentForTooLong() {
        open(builder().retry(RetryPolicy.none()).handle(NOTE.stallAfter(Duration.ofMillis(100)),
                (note, job) -> {
                    job.sleep(LONG);
                    return "";
                }));
        JobHandle<String> handle = submit("x");

        assertThat(end(handle).reason().orElseThrow()).contains("stalled: silent for");
        assertThat(logged()).anyMatch(line -> line.contains("is stalled: job " + handle.id()));
    }

    @Test
    void doesNotCallABeatingOrIdleWorkerStalled() throws Exception {
        CountDownLatch advanced = new CountDownLatch(1);
        open(builder().clock(clock).handle(NOTE.stallAfter(Duration.ofSeconds(60)), (note, job) -> {
            for (int i = 0; i < 5; i++) {
                clock.advance(Duration.ofSeconds(40));
                job.heartbeat();
            }
            advanced.countDown();
            return "alive";
        }));
        assertThat(submit("x").await(LONG)).isEqualTo("alive");
        advanced.await();
        clock.advance(Duration.ofHours(1));

        assertThat(submit("y").await(LONG)).isEqualTo("alive");
        assertThat(logged()).noneMatch(line -> line.contains("stalled"));
    }

    @Test
    void cancelsARunningJobAndIgnoresWhatItReturns() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        open((note, job) -> {
            started.countDown();
            CountDownLatch cancelled = new CountDownLatch(1);
            job.cancellation().onCancel(cancelled::countDown);
            cancelled.await();
            return "ignored, " + job.cancellation().reason().orElseThrow();
        });
        JobHandle<String> handle = pool().submit(NOTE.with(new Note("x")).dedupeKey("k"));
        started.await();
        handle.cancel("not needed");

        Job job = end(handle);
        assertThat(job.state()).isEqualTo(JobState.CANCELLED);
        assertThat(job.reason()).contains("not needed");
        await().until(() -> pool().story(handle.id()).orElseThrow().attempts().size() == 1);
        Story story = pool().story(handle.id()).orElseThrow();
        assertThat(story.attempts().getFirst().end()).isEqualTo(Attempt.End.CANCELLED);
        assertThat(story.job().result()).isEmpty();
        assertThat(pool().submit(NOTE.with(new Note("y")).dedupeKey("k")).id()).isNotEqualTo(handle.id());
    }

    @Test
    void cancelsAWaitingJobAndOnlyOnce() {
        open(builder());
        JobHandle<String> handle = submit("x");
        handle.cancel("changed my mind");
        handle.cancel("again");

        assertThat(end(handle).reason()).contains("changed my mind");
    }

    @Test
    void saysWhyAJobCannotBeCancelled() throws Exception {
        open((note, job) -> "");
        JobHandle<String> done = submit("x");
        done.await(LONG);

        assertThatThrownBy(() -> done.cancel("late")).isInstanceOf(WrongStateException.class)
                .hasMessage("cannot cancel job " + done.id() + ": it is COMPLETED");
        JobId unknown = JobId.next();
        assertThatThrownBy(() -> pool().cancel(unknown, "x")).isInstanceOf(NoSuchJobException.class)
                .hasMessageContaining(unknown.toString());
    }

    @Test
    void holdsBackAPausedJobAndAPausedQueue() throws Exception {
        open((note, job) -> note.text());
        pool().pauseQueue("default");
        JobHandle<String> one = submit("one");
        JobHandle<String> two = submit("two");
        pool().pause(one.id(), "wait");
        assertThat(state(one)).isEqualTo(JobState.PAUSED);
        pool().resumeQueue("default");

        assertThat(two.await(LONG)).isEqualTo("two");
        assertThat(state(one)).isEqualTo(JobState.PAUSED);
        assertThat(pool().awaitIdle(LONG)).as("a paused job does not count").isTrue();
        pool().resume(one.id());
        assertThat(one.await(LONG)).isEqualTo("one");
    }
}
