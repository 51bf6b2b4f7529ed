package dev.heddle.testkit;

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
import dev.heddle.pool.PoolClosedException;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Story;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Closing and draining: nothing is lost, nothing is counted that should not be, and nobody is waited for for ever. */
abstract class ClosingContract extends PoolFixture {

    private final CountDownLatch started = new CountDownLatch(1);
    /** Lets handlers go that nothing else does. */
    private final CountDownLatch letGo = new CountDownLatch(1);

    ClosingContract(PoolContract door) {
        super(door);
    }

    @AfterEach
    void letGo() {
        letGo.countDown();
    }

    private ClosingReport report() {
        return pool().closing().orElseThrow();
    }

    /** On what the last pool left, where nothing runs; false where the store keeps nothing to look at. */
    private boolean lookAgain(JobId id) {
        open(builderAgain());
        return pool().find(id).isPresent();
    }

    private static void awaitToken(JobContext job) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        job.cancellation().onCancel(told::countDown);
        told.await();
    }

    private void awaitStubbornly() {
        while (letGo.getCount() > 0) {
            try {
                letGo.await();
            } catch (InterruptedException e) {
                // Such handlers exist.
            }
        }
    }

    /**
     * {@code TestGRACEShutdownFlow}: no more claims, what has not started goes back, the step under way is finished and
     * kept, the next is not begun, and the next opening goes on from there.
     */
    @Test
    void finishesTheStepUnderWayAndGivesTheRestBack() throws Exception {
        List<String> steps = new CopyOnWriteArrayList<>();
        JobType<Note, String> other = JobType.of("other", Note.class, String.class).group("other");
        open(builder().workers(1).group("other", 1).closeTimeout(LONG).handle(other, (note, job) -> "")
                .handle(NOTE, (note, job) -> {
                    job.step("first", () -> {
                        steps.add("first");
                        started.countDown();
                        awaitToken(job);
                    });
                    job.step("second", () -> steps.add("second"));
                    return "";
                }));
        JobHandle<String> inSteps = submit("in steps");
        started.await();
        pool().submitAll(IntStream.range(0, 50).mapToObj(_ -> NOTE.with(new Note("quick"))).toList());
        // A node claims ahead only while jobs end on it, of whatever group.
        await().until(() -> {
            end(pool().submit(other, new Note("quick")));
            return pool().tally().in(JobState.ASSIGNED) > 0;
        });
        pool().close();

        assertThat(steps).containsExactly("first");
        assertThat(report().requeued()).isEqualTo(1);
        assertThat(report().handedBack()).isPositive();
        assertThat(report().abandoned()).isZero();
        if (!lookAgain(inSteps.id())) {
            return;
        }
        Story story = pool().story(inSteps.id()).orElseThrow();
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.saved().steps()).containsOnlyKeys("first");
        assertThat(story.history()).extracting(HistoryEntry::reason).containsExactly("closing");
        assertThat(pool().tally().in(JobState.ASSIGNED) + pool().tally().in(JobState.RUNNING)).isZero();
        pool().close();
        open(builderAgain().handle(NOTE, (note, job) -> {
            if (note.text().equals("in steps")) {
                job.step("first", () -> steps.add("first again"));
                job.step("second", () -> steps.add("second"));
            }
            return "";
        }));
        assertThat(pool().handle(inSteps.id(), NOTE).await(LONG)).isEmpty();
        assertThat(steps).containsExactly("first", "second");
    }

    /** {@code TestGRACECheckpointSaving}: a handler that only saves, and never asks, stops right after a save. */
    @Test
    void stopsAHandlerAtItsCheckpointAndGoesOnFromThere() throws Exception {
        AtomicInteger saved = new AtomicInteger();
        open(builder().closeTimeout(LONG.multipliedBy(2)).handle(NOTE, (note, job) -> {
            for (int item = 1;; item++) {
                saved.set(item);
                job.saveCheckpoint(item);
                started.countDown();
            }
        }));
        JobHandle<String> handle = submit("x");
        started.await();

        assertThat(CompletableFuture.runAsync(pool()::close)).as("long before it is interrupted")
                .succeedsWithin(LONG);

        assertThat(report().requeued()).isEqualTo(1);
        if (!lookAgain(handle.id())) {
            return;
        }
        Story story = pool().story(handle.id()).orElseThrow();
        assertThat(story.saved().checkpoint()).contains(String.valueOf(saved.get()));
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        pool().close();
        open(builderAgain().handle(NOTE,
                (note, job) -> "from " + job.checkpoint(Integer.class).orElseThrow()));
        assertThat(pool().handle(handle.id(), NOTE).await(LONG)).isEqualTo("from " + saved.get());
    }

    /** {@code TestGRACEWorkerShutdownTimeout}: 20 s to give way, then an interrupt, and then it is left behind. */
    @Test
    void interruptsAfterTwentySecondsAndThenLeavesTheHandlerBehind() throws Exception {
        CompletableFuture<Instant> told = new CompletableFuture<>();
        CompletableFuture<Instant> interrupted = new CompletableFuture<>();
        open(builder().clock(clock).closeTimeout(Duration.ofSeconds(20))
                .cancelGrace(Duration.ofSeconds(1), Duration.ofSeconds(5)).handle(NOTE, (note, job) -> {
                    job.cancellation().onCancel(() -> told.complete(clock.instant()));
                    started.countDown();
                    try {
                        letGo.await();
                    } catch (InterruptedException e) {
                        interrupted.complete(clock.instant());
                    }
                    awaitStubbornly();
                    return "late";
                }));
        Instant began = clock.instant();
        JobHandle<String> handle = submit("x");
        started.await();
        CompletableFuture<Void> closing = CompletableFuture.runAsync(pool()::close);
        assertThat(told.get(30, TimeUnit.SECONDS)).isEqualTo(began);
        clock.advance(Duration.ofMillis(19_999));
        clock.advance(Duration.ofMillis(1));
        assertThat(interrupted.get(30, TimeUnit.SECONDS)).isEqualTo(began.plusSeconds(20));
        clock.advance(Duration.ofSeconds(5));
        closing.get(30, TimeUnit.SECONDS);

        assertThat(report().abandoned()).isEqualTo(1);
        if (lookAgain(handle.id())) {
            Job job = pool().find(handle.id()).orElseThrow();
            assertThat(job.state()).isEqualTo(JobState.QUEUED);
            assertThat(job.counts()).isEqualTo(new Job.Counts(1, 0, 0));
        }
    }

    enum Nasty {
        SPINS, IGNORES_INTERRUPTS, HANGS_IN_A_STEP, THROWS_IN_FINALLY, THROWS_AN_ERROR, HANGS_IN_ITS_CANCEL_ACTION, CLOSES_ITS_POOL, FAILS_BECAUSE_OF_IT
    }

    @ParameterizedTest
    @EnumSource
    void closesInTimeWhateverAHandlerDoes(Nasty nasty) throws Exception {
        open(builder().closeTimeout(Duration.ofMillis(50)).handle(NOTE, (note, job) -> be(nasty, job)));
        JobHandle<String> handle = submit("x");
        started.await();

        assertThat(CompletableFuture.runAsync(pool()::close)).succeedsWithin(LONG);

        assertThat(report().requeued() + report().abandoned()).isEqualTo(1);
        if (lookAgain(handle.id())) {
            Job job = pool().find(handle.id()).orElseThrow();
            assertThat(job.state()).isEqualTo(JobState.QUEUED);
            assertThat(job.counts()).as("nothing is counted").isEqualTo(new Job.Counts(1, 0, 0));
        }
    }

    private String be(Nasty nasty, JobContext job) throws Exception {
        if (nasty == Nasty.HANGS_IN_ITS_CANCEL_ACTION) {
            job.cancellation().onCancel(this::awaitStubbornly);
        }
        if (nasty != Nasty.CLOSES_ITS_POOL) {
            started.countDown();
        }
        switch (nasty) {
            case SPINS -> {
                while (letGo.getCount() > 0) {
                    Thread.onSpinWait();
                }
            }
            case IGNORES_INTERRUPTS, HANGS_IN_ITS_CANCEL_ACTION -> awaitStubbornly();
            case HANGS_IN_A_STEP -> job.step("for ever", this::awaitStubbornly);
            case THROWS_IN_FINALLY -> {
                try {
                    job.sleep(LONG);
                } finally {
                    failAnyway();
                }
            }
            case THROWS_AN_ERROR -> {
                awaitToken(job);
                throw new AssertionError("told to stop");
            }
            case CLOSES_ITS_POOL -> {
                started.countDown();
                pool().close();
                awaitStubbornly();
            }
            case FAILS_BECAUSE_OF_IT -> {
                awaitToken(job);
                throw new IOException("stream closed");
            }
        }
        return "";
    }

    private static void failAnyway() {
        throw new IllegalStateException("in finally");
    }

    @Test
    void closesInTimeWhateverAListenerDoes() throws Exception {
        open(builder().closeTimeout(Duration.ofMillis(50)).listener(new JobListener() {
            @Override
            public void onCompleted(Job job, @Nullable String result) {
                started.countDown();
                awaitStubbornly();
            }
        }).handle(NOTE, (note, job) -> "done"));
        JobHandle<String> handle = submit("x");
        started.await();

        assertThat(CompletableFuture.runAsync(pool()::close)).succeedsWithin(LONG);

        if (lookAgain(handle.id())) {
            assertThat(state(handle)).isEqualTo(JobState.COMPLETED);
        }
    }

    @Test
    void givesUnfinishedJobsBackUncountedAndLeavesNoThread() throws Exception {
        Set<Thread> before = heddleThreads();
        open(builder().workers(1).handle(NOTE, (note, job) -> {
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

        open(builderAgain().handle(JobType.of("other", Note.class, String.class), (note, job) -> ""));
        if (pool().find(running.id()).isEmpty()) {
            return; // a store that keeps nothing has nothing more to show
        }
        Story story = pool().story(running.id()).orElseThrow();
        assertThat(story.job().state()).isEqualTo(JobState.QUEUED);
        assertThat(story.job().counts()).isEqualTo(new Job.Counts(1, 0, 0));
        assertThat(story.saved().checkpoint()).contains("\"half\"");
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.RELEASED);
        assertThat(state(queued.id())).isEqualTo(JobState.QUEUED);
    }

    private static Set<Thread> heddleThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("heddle-"))
                .collect(Collectors.toSet());
    }

    @Test
    void letsAHandlerFinishThatIsDoneWithinTheClosingTime() throws Exception {
        open(builder().closeTimeout(LONG).handle(NOTE, (note, job) -> {
            started.countDown();
            awaitToken(job);
            return "finished";
        }));
        JobHandle<String> handle = submit("x");
        started.await();
        pool().close();

        assertThat(report()).isEqualTo(new ClosingReport(1, 0, 0, 0, 0, report().took()));
        if (lookAgain(handle.id())) {
            assertThat(pool().find(handle.id()).orElseThrow().result()).contains("\"finished\"");
        }
    }

    /** What gave way is no suspect: nobody died. */
    @Test
    void runsWhatGaveWaySideBySideAndAtOnceAfterTheNextOpening() throws Exception {
        CountDownLatch all = new CountDownLatch(4);
        open(builder().workers(4).closeTimeout(LONG).handle(NOTE, (note, job) -> {
            all.countDown();
            job.sleep(LONG);
            return "";
        }));
        List<JobId> ids = IntStream.range(0, 4).mapToObj(i -> submit("job " + i).id()).toList();
        all.await();
        pool().close();
        assertThat(report().requeued()).isEqualTo(4);

        CyclicBarrier together = new CyclicBarrier(4);
        open(builderAgain().workers(4).clock(clock).handle(NOTE, (note, job) -> {
            together.await(30, TimeUnit.SECONDS);
            return "together";
        }));
        if (pool().find(ids.getFirst()).isPresent()) {
            assertThat(pool().opening().found()).isZero();
            for (JobId id : ids) {
                assertThat(pool().handle(id, NOTE).await(LONG)).isEqualTo("together");
            }
        }
    }

    @Test
    void reportsAndLogsHowItClosedInOneLine() throws Exception {
        CountDownLatch both = new CountDownLatch(2);
        open(builder().workers(2).closeTimeout(LONG).handle(NOTE, (note, job) -> {
            both.countDown();
            if (note.text().equals("gives way")) {
                job.sleep(LONG);
            }
            awaitToken(job);
            return "";
        }));
        submit("finishes");
        submit("gives way");
        both.await();
        assertThat(pool().closing()).isEmpty();
        String node = pool().nodeId();

        pool().close();

        assertThat(report().finished()).isEqualTo(1);
        assertThat(report().requeued()).isEqualTo(1);
        assertThat(report().took()).isPositive();
        assertThat(logged()).contains("Pool " + node + " closed: " + report().summary());
        assertThat(report().summary()).startsWith("1 finished, 1 requeued, 0 handed back, 0 abandoned, in ");
    }

    @Test
    void waitsForTheFirstCloseWhereItIsClosedTwice() throws Exception {
        open(builder().closeTimeout(LONG).handle(NOTE, (note, job) -> {
            started.countDown();
            letGo.await();
            return "";
        }));
        submit("x");
        started.await();
        CompletableFuture<Void> first = CompletableFuture.runAsync(pool()::close);
        CompletableFuture<ClosingReport> second = CompletableFuture
                .supplyAsync(() -> pool().drain(Duration.ZERO));
        await().until(this::isClosing);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();

        letGo.countDown();

        assertThat(first).succeedsWithin(LONG);
        assertThat(second).succeedsWithin(LONG).isEqualTo(report());
    }

    private boolean isClosing() {
        return logged().contains("Pool " + pool().nodeId() + " closing");
    }

    @Test
    void drainsByLettingWhatRunsFinishAndStartingNothingMore() throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        open(builder().workers(2).handle(NOTE, (note, job) -> {
            job.cancellation().onCancel(told::countDown);
            started.countDown();
            letGo.await();
            return "finished";
        }));
        JobHandle<String> running = submit("running");
        started.await();
        CompletableFuture<ClosingReport> draining = CompletableFuture.supplyAsync(() -> pool().drain(LONG));
        await().until(() -> pool().workers().size() == 1);
        assertThatThrownBy(() -> submit("too late")).isInstanceOf(PoolClosedException.class);
        await().during(Duration.ofMillis(300)).until(() -> told.getCount() == 1);
        letGo.countDown();

        assertThat(draining).succeedsWithin(LONG).isEqualTo(report());
        assertThat(told.getCount()).as("it was never told to stop").isEqualTo(1);
        assertThat(report()).isEqualTo(new ClosingReport(1, 0, 0, 0, 0, report().took()));
        if (lookAgain(running.id())) {
            assertThat(state(running)).isEqualTo(JobState.COMPLETED);
            assertThat(pool().list(JobQuery.all())).hasSize(1);
        }
    }

    @Test
    void tellsWhatRunsToStopOnceTheTimeForDrainingIsOver() throws Exception {
        open(builder().closeTimeout(LONG).handle(NOTE, (note, job) -> {
            started.countDown();
            job.sleep(LONG);
            return "";
        }));
        submit("x");
        started.await();

        assertThat(pool().drain(Duration.ofMillis(10)).requeued()).isEqualTo(1);
        assertThatThrownBy(() -> pool().drain(Duration.ofSeconds(-1)))
                .hasMessage("a pool cannot drain for a negative time: PT-1S");
    }

    @Test
    void endsADrainThatTakesTooLongWhenItIsClosed() throws Exception {
        open(builder().closeTimeout(LONG).handle(NOTE, (note, job) -> {
            started.countDown();
            job.sleep(Duration.ofDays(1));
            return "";
        }));
        submit("x");
        started.await();
        CompletableFuture<ClosingReport> draining = CompletableFuture
                .supplyAsync(() -> pool().drain(Duration.ofSeconds(Long.MAX_VALUE)));
        await().until(this::isClosing);

        pool().close();

        assertThat(draining).succeedsWithin(LONG).isEqualTo(report());
        assertThat(report().requeued()).isEqualTo(1);
    }
}
