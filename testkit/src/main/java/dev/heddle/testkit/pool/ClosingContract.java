package dev.heddle.testkit.pool;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.ClosingReport;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.JobListener;
import dev.heddle.store.JobDetails;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Closing: no job is lost, no failure is counted, and a close never waits forever. */
abstract class ClosingContract extends PoolFixture {

    private final CountDownLatch started = new CountDownLatch(1);
    /** Releases handlers that ignore everything else. */
    private final CountDownLatch release = new CountDownLatch(1);

    ClosingContract(PoolContract contract) {
        super(contract);
    }

    @AfterEach
    void releaseHandlers() {
        release.countDown();
    }

    private ClosingReport report() {
        return pool().closingReport().orElseThrow();
    }

    /** Opens a pool without handlers on the store of the last one, to look at its jobs. */
    private void openIdle() {
        open(builderAgain());
    }

    private static void awaitCancellation(JobContext job) throws InterruptedException {
        CountDownLatch cancelled = new CountDownLatch(1);
        job.cancellation().onCancel(cancelled::countDown);
        cancelled.await();
    }

    private void ignoreInterrupts() {
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException e) {
                // Simulates a handler that ignores interrupts.
            }
        }
    }

    /** The node claims nothing more and releases its claims. The next pool continues with the next step. */
    @Test
    void finishesTheCurrentStepAndReleasesTheRest() throws Exception {
        List<String> steps = new CopyOnWriteArrayList<>();
        JobType<Note, String> other = JobType.of("other", Note.class, String.class).group("other");
        open(builder().workers(1).group("other", 1).closeTimeout(LONG).register(other, (note, job) -> "").register(NOTE,
                (note, job) -> {
                    job.step("first", () -> {
                        steps.add("first");
                        started.countDown();
                        awaitCancellation(job);
                    });
                    job.step("second", () -> steps.add("second"));
                    return "";
                }));
        JobHandle<String> inSteps = submit("in steps");
        started.await();
        pool().submitAll(IntStream.range(0, 50).mapToObj(_ -> NOTE.with(new Note("quick"))).toList());
        // A node claims ahead only while jobs of any group end on it.
        await().until(() -> {
            end(pool().submit(other, new Note("quick")));
            return pool().admin().countJobs().in(JobState.ASSIGNED) > 0;
        });
        pool().close();

        assertThat(steps).containsExactly("first");
        assertThat(report().requeued()).isEqualTo(1);
        assertThat(report().released()).isPositive();
        assertThat(report().abandoned()).isZero();
        openIdle();
        JobDetails story = pool().admin().details(inSteps.id()).orElseThrow();
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.saved().steps()).containsOnlyKeys("first");
        assertThat(story.history()).extracting(HistoryEntry::reason).containsExactly("closing");
        assertThat(pool().admin().countJobs().in(JobState.ASSIGNED) + pool().admin().countJobs().in(JobState.RUNNING))
                .isZero();
        pool().close();
        open(builderAgain().register(NOTE, (note, job) -> {
            if (note.text().equals("in steps")) {
                job.step("first", () -> steps.add("first again"));
                job.step("second", () -> steps.add("second"));
            }
            return "";
        }));
        assertThat(pool().job(inSteps.id(), NOTE).await(LONG)).isEmpty();
        assertThat(steps).containsExactly("first", "second");
    }

    /** A handler that never checks its token stops when it saves a checkpoint. */
    @Test
    void stopsAHandlerAtItsCheckpointAndResumesFromThere() throws Exception {
        AtomicInteger saved = new AtomicInteger();
        open(builder().closeTimeout(LONG.multipliedBy(2)).register(NOTE, (note, job) -> {
            for (int item = 1;; item++) {
                saved.set(item);
                job.saveCheckpoint(item);
                started.countDown();
            }
        }));
        JobHandle<String> handle = submit("x");
        started.await();

        assertThat(CompletableFuture.runAsync(pool()::close)).as("long before an interrupt").succeedsWithin(LONG);

        assertThat(report().requeued()).isEqualTo(1);
        openIdle();
        JobDetails story = pool().admin().details(handle.id()).orElseThrow();
        assertThat(story.saved().checkpoint()).contains(String.valueOf(saved.get()));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        pool().close();
        open(builderAgain().register(NOTE, (note, job) -> "from " + job.checkpoint(Integer.class).orElseThrow()));
        assertThat(pool().job(handle.id(), NOTE).await(LONG)).isEqualTo("from " + saved.get());
    }

    /** After the close timeout the handler is interrupted; after the grace the pool closes without it. */
    @Test
    void interruptsAfterTheCloseTimeoutAndThenAbandonsTheHandler() throws Exception {
        CompletableFuture<Instant> cancelled = new CompletableFuture<>();
        CompletableFuture<Instant> interrupted = new CompletableFuture<>();
        open(steered(builder()).closeTimeout(Duration.ofSeconds(20))
                .cancelGrace(Duration.ofSeconds(1), Duration.ofSeconds(5)).register(NOTE, (note, job) -> {
                    job.cancellation().onCancel(() -> cancelled.complete(clock.instant()));
                    started.countDown();
                    try {
                        release.await();
                    } catch (InterruptedException e) {
                        interrupted.complete(clock.instant());
                    }
                    ignoreInterrupts();
                    return "late";
                }));
        Instant began = clock.instant();
        JobHandle<String> handle = submit("x");
        started.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(pool()::close);
        assertThat(cancelled.get(30, TimeUnit.SECONDS)).isEqualTo(began);
        clock.advance(Duration.ofMillis(19_999));
        clock.advance(Duration.ofMillis(1));
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isEqualTo(began.plusSeconds(20));
        clock.advance(Duration.ofSeconds(5));
        closing.get(30, TimeUnit.SECONDS);

        assertThat(report().abandoned()).isEqualTo(1);
        openIdle();
        Job job = pool().find(handle.id()).orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.counts()).isEqualTo(new Job.Counts(1, 0, 0));
    }

    enum BadHandler {
        SPINS, IGNORES_INTERRUPTS, HANGS_IN_A_STEP, THROWS_IN_FINALLY, THROWS_AN_ERROR, HANGS_IN_ITS_CANCEL_ACTION, CLOSES_ITS_POOL, FAILS_WHEN_CANCELLED
    }

    @ParameterizedTest
    @EnumSource
    void closesInTimeHoweverAHandlerBehaves(BadHandler behavior) throws Exception {
        open(builder().closeTimeout(Duration.ofMillis(50)).register(NOTE, (note, job) -> behave(behavior, job)));
        JobHandle<String> handle = submit("x");
        started.await();

        assertThat(CompletableFuture.runAsync(pool()::close)).succeedsWithin(LONG);

        assertThat(report().requeued() + report().abandoned()).isEqualTo(1);
        openIdle();
        Job job = pool().find(handle.id()).orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.QUEUED);
        assertThat(job.counts()).as("no failure is counted").isEqualTo(new Job.Counts(1, 0, 0));
    }

    private String behave(BadHandler behavior, JobContext job) throws Exception {
        if (behavior == BadHandler.HANGS_IN_ITS_CANCEL_ACTION) {
            job.cancellation().onCancel(this::ignoreInterrupts);
        }
        if (behavior != BadHandler.CLOSES_ITS_POOL) {
            started.countDown();
        }
        switch (behavior) {
            case SPINS -> {
                while (release.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
            case IGNORES_INTERRUPTS, HANGS_IN_ITS_CANCEL_ACTION -> ignoreInterrupts();
            case HANGS_IN_A_STEP -> job.step("endless", this::ignoreInterrupts);
            case THROWS_IN_FINALLY -> {
                try {
                    job.sleep(LONG);
                } finally {
                    throwFromFinally();
                }
            }
            case THROWS_AN_ERROR -> {
                awaitCancellation(job);
                throw new AssertionError("told to stop");
            }
            case CLOSES_ITS_POOL -> {
                started.countDown();
                pool().close();
                ignoreInterrupts();
            }
            case FAILS_WHEN_CANCELLED -> {
                awaitCancellation(job);
                throw new IOException("stream closed");
            }
        }
        return "";
    }

    private static void throwFromFinally() {
        throw new IllegalStateException("in finally");
    }

    @Test
    void closesInTimeHoweverAListenerBehaves() throws Exception {
        open(builder().closeTimeout(Duration.ofMillis(50)).listener(new JobListener() {
            @Override
            public void onCompleted(Job job, @Nullable String result) {
                started.countDown();
                ignoreInterrupts();
            }
        }).register(NOTE, (note, job) -> "done"));
        JobHandle<String> handle = submit("x");
        started.await();

        assertThat(CompletableFuture.runAsync(pool()::close)).succeedsWithin(LONG);

        openIdle();
        assertThat(state(handle)).isEqualTo(JobState.COMPLETED);
    }

    @Test
    void requeuesUnfinishedJobsWithoutCountingAFailureAndLeavesNoThread() throws Exception {
        Set<Thread> before = heddleThreads();
        open(builder().workers(1).register(NOTE, (note, job) -> {
            job.saveCheckpoint("half");
            started.countDown();
            job.sleep(LONG);
            return "";
        }));
        JobHandle<String> running = submit("running");
        JobHandle<String> queued = submit("queued");
        started.await();
        pool().close();
        await().untilAsserted(() -> assertThat(heddleThreads()).isSubsetOf(before));

        open(builderAgain().register(JobType.of("other", Note.class, String.class), (note, job) -> ""));
        JobDetails story = pool().admin().details(running.id()).orElseThrow();
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.saved().checkpoint()).contains("\"half\"");
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.RELEASED);
        assertThat(state(queued.id())).isEqualTo(JobState.QUEUED);
    }

    private static Set<Thread> heddleThreads() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("heddle-"))
                .collect(Collectors.toSet());
    }

    @Test
    void letsAHandlerFinishWithinTheCloseTimeout() throws Exception {
        open(builder().closeTimeout(LONG).register(NOTE, (note, job) -> {
            started.countDown();
            awaitCancellation(job);
            return "finished";
        }));
        JobHandle<String> handle = submit("x");
        started.await();
        pool().close();

        assertThat(report()).isEqualTo(new ClosingReport(1, 0, 0, 0, 0, report().took()));
        openIdle();
        assertThat(pool().find(handle.id()).orElseThrow().result()).contains("\"finished\"");
    }

    /** A stopped job is no suspect, because no node died. */
    @Test
    void runsStoppedJobsAtOnceAndInParallelInTheNextPool() throws Exception {
        CountDownLatch all = new CountDownLatch(4);
        open(builder().workers(4).closeTimeout(LONG).register(NOTE, (note, job) -> {
            all.countDown();
            job.sleep(LONG);
            return "";
        }));
        List<JobId> ids = IntStream.range(0, 4).mapToObj(i -> submit("job " + i).id()).toList();
        all.await();
        pool().close();
        assertThat(report().requeued()).isEqualTo(4);

        CyclicBarrier together = new CyclicBarrier(4);
        open(steered(builderAgain()).workers(4).register(NOTE, (note, job) -> {
            together.await(30, TimeUnit.SECONDS);
            return "together";
        }));
        assertThat(pool().recoveryReport().found()).isZero();
        for (JobId id : ids) {
            assertThat(pool().job(id, NOTE).await(LONG)).isEqualTo("together");
        }
    }

    @Test
    void reportsAndLogsTheOutcomeInOneLine() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        open(builder().workers(2).closeTimeout(LONG).register(NOTE, (note, job) -> {
            both.countDown();
            if (note.text().equals("stops")) {
                job.sleep(LONG);
            }
            awaitCancellation(job);
            return "";
        }));
        submit("finishes");
        submit("stops");
        both.await();
        assertThat(pool().closingReport()).isEmpty();
        String node = pool().admin().nodeId();

        pool().close();

        assertThat(report().summary()).startsWith("1 finished, 1 requeued, 0 released, 0 abandoned, in ");
        assertThat(report().took()).isPositive();
        assertThat(logged()).contains("Pool " + node + " closed: " + report().summary());
    }

    @Test
    void waitsForTheFirstCloseIfItIsClosedTwice() throws Exception {
        open(builder().closeTimeout(LONG).register(NOTE, (note, job) -> {
            started.countDown();
            release.await();
            return "";
        }));
        submit("x");
        started.await();
        CompletableFuture<Void> first = CompletableFuture.runAsync(pool()::close);
        CompletableFuture<ClosingReport> second = CompletableFuture.supplyAsync(() -> pool().drain(Duration.ZERO));
        await().until(this::isClosing);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();

        release.countDown();

        assertThat(first).succeedsWithin(LONG);
        assertThat(second).succeedsWithin(LONG).isEqualTo(report());
    }

    private boolean isClosing() {
        return logged().contains("Pool " + pool().admin().nodeId() + " closing");
    }
}
