package dev.heddle.testkit.pool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.NoSuchJobException;
import dev.heddle.pool.WrongStateException;
import dev.heddle.store.JobDetails;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Attempts that must stop: time-outs, stalls and cancellation; and jobs that a pause holds back. */
abstract class AttemptStopContract extends PoolFixture {

    AttemptStopContract(PoolContract contract) {
        super(contract);
    }

    private final CountDownLatch never = new CountDownLatch(1);

    @Test
    void timesOutASlowAttempt() {
        open(builder().retry(RetryPolicy.none()).timeout(Duration.ofMillis(100)).register(NOTE, (note, job) -> {
            job.sleep(LONG);
            return "";
        }));

        Job job = end(submit("x"));
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.reason().orElseThrow()).contains("timed out after 100 ms");
        assertThat(pool().admin().details(job.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.TIMED_OUT);
    }

    @Test
    void takesTheHandlersWordForATimeout() {
        open(builder().retry(RetryPolicy.none()).register(NOTE, (note, job) -> {
            throw JobException.timeout("the model did not answer within 9 s").hint("try a smaller one");
        }));

        Job job = end(submit("x"));
        assertThat(job.reason().orElseThrow()).contains("the model did not answer within 9 s");
        assertThat(pool().admin().details(job.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.TIMED_OUT);
    }

    @Test
    void retriesAfterATimeout() throws Exception {
        CountDownLatch sleeps = new CountDownLatch(1);
        open(steered(builder()).timeout(Duration.ofMinutes(1)).register(NOTE, (note, job) -> {
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
        assertThat(pool().admin().details(handle.id()).orElseThrow().attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.TIMED_OUT, Attempt.End.COMPLETED);
    }

    @Test
    void interruptsAHandlerThatIgnoresItsCancellationToken() {
        AtomicBoolean interrupted = new AtomicBoolean();
        open(builder().retry(RetryPolicy.none()).timeout(Duration.ofMillis(50)).cancelGrace(Duration.ofMillis(50), LONG)
                .register(NOTE, (note, job) -> {
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
    void replacesTheWorkerOfAHandlerThatIgnoresInterrupts() throws Exception {
        AtomicBoolean stopSpinning = new AtomicBoolean();
        CountDownLatch spins = new CountDownLatch(1);
        CountDownLatch cancelled = new CountDownLatch(1);
        CountDownLatch interrupted = new CountDownLatch(1);
        Duration patience = Duration.ofSeconds(1);
        open(steered(builder()).workers(1).retry(RetryPolicy.linear(1, Duration.ZERO)).timeout(patience)
                .cancelGrace(patience, patience).register(NOTE, (note, job) -> {
                    if (note.text().equals("stubborn") && job.attempt() == 1) {
                        job.cancellation().onCancel(cancelled::countDown);
                        spins.countDown();
                        while (!stopSpinning.get()) {
                            if (Thread.currentThread().isInterrupted()) {
                                interrupted.countDown();
                            }
                            Thread.onSpinWait();
                        }
                        return "late";
                    }
                    return "in time";
                }));
        String before = pool().admin().workers().getFirst().id();
        JobHandle<String> stubborn = submit("stubborn");
        for (CountDownLatch ignored : List.of(spins, cancelled, interrupted)) {
            ignored.await();
            clock.advance(patience);
        }

        assertThat(stubborn.await(LONG)).as("the second attempt, on another worker").isEqualTo("in time");
        assertThat(pool().admin().workers()).hasSize(1);
        assertThat(pool().admin().workers().getFirst().id()).isNotEqualTo(before);
        stopSpinning.set(true);
        await().until(() -> logged().stream().anyMatch(line -> line.contains("late result of job " + stubborn.id())));
        assertThat(stubborn.await(LONG)).isEqualTo("in time");
        assertThat(submit("next").await(LONG)).isEqualTo("in time");
    }

    @Test
    void endsAStalledAttempt() {
        open(builder().retry(RetryPolicy.none()).register(NOTE.stallAfter(Duration.ofMillis(100)), (note, job) -> {
            job.sleep(LONG);
            return "";
        }));
        JobHandle<String> handle = submit("x");

        assertThat(end(handle).reason().orElseThrow()).contains("stalled: no heartbeat for");
        assertThat(logged()).anyMatch(line -> line.contains("is stalled: no heartbeat of job " + handle.id()));
    }

    @Test
    void doesNotReportAnActiveOrIdleWorkerAsStalled() throws Exception {
        CountDownLatch advanced = new CountDownLatch(1);
        open(steered(builder()).register(NOTE.stallAfter(Duration.ofSeconds(60)), (note, job) -> {
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
    void cancelsARunningJobAndIgnoresItsResult() throws Exception {
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
        await().until(() -> pool().admin().details(handle.id()).orElseThrow().attempts().size() == 1);
        JobDetails story = pool().admin().details(handle.id()).orElseThrow();
        assertThat(story.attempts().getFirst().end()).isEqualTo(Attempt.End.CANCELLED);
        assertThat(story.job().result()).isEmpty();
        assertThat(pool().submit(NOTE.with(new Note("y")).dedupeKey("k")).id()).isNotEqualTo(handle.id());
    }

    @Test
    void refusesToDeleteACancelledJobWhileItsHandlerRuns() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        open(builder().cancelGrace(LONG, LONG).register(NOTE, (note, job) -> {
            started.countDown();
            end.await();
            return "";
        }));
        JobHandle<String> handle = submit("x");
        started.await();
        handle.cancel("not needed");

        assertThatThrownBy(() -> pool().admin().delete(handle.id())).isInstanceOf(WrongStateException.class)
                .hasMessage("cannot delete job " + handle.id()
                        + ": it is CANCELLED, but its attempt has not ended; try again in a moment");
        assertThat(state(handle)).isEqualTo(JobState.CANCELLED);

        end.countDown();
        await().until(() -> !pool().admin().details(handle.id()).orElseThrow().attempts().isEmpty());
        pool().admin().delete(handle.id());
        assertThat(handle.job()).isEmpty();
    }

    @Test
    void cancelsAQueuedJobOnlyOnce() {
        open(builder());
        JobHandle<String> handle = submit("x");
        handle.cancel("changed my mind");
        handle.cancel("again");

        assertThat(end(handle).reason()).contains("changed my mind");
    }

    @Test
    void explainsWhyAJobCannotBeCancelled() throws Exception {
        open((note, job) -> "");
        JobHandle<String> done = submit("x");
        done.await(LONG);

        assertThatThrownBy(() -> done.cancel("late")).isInstanceOf(WrongStateException.class)
                .hasMessage("cannot cancel job " + done.id() + ": it is COMPLETED");
        JobId unknown = JobId.next();
        assertThatThrownBy(() -> pool().admin().cancel(unknown, "x")).isInstanceOf(NoSuchJobException.class)
                .hasMessageContaining(unknown.toString());
    }

    @Test
    void holdsPausedJobsAndPausedQueues() throws Exception {
        open((note, job) -> note.text());
        pool().admin().pauseQueue("default");
        JobHandle<String> one = submit("one");
        JobHandle<String> two = submit("two");
        pool().admin().pause(one.id(), "wait");
        assertThat(state(one)).isEqualTo(JobState.PAUSED);
        pool().admin().resumeQueue("default");

        assertThat(two.await(LONG)).isEqualTo("two");
        assertThat(state(one)).isEqualTo(JobState.PAUSED);
        assertThat(pool().awaitIdle(LONG)).as("a paused job does not keep the pool busy").isTrue();
        pool().admin().resume(one.id());
        assertThat(one.await(LONG)).isEqualTo("one");
    }
}
