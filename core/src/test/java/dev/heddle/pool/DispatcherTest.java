package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.Claimed;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.NewJob;
import dev.heddle.store.Retention;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** The claiming loop on a store that is two queues, and one worker that runs for as long as the test wants. */
class DispatcherTest {

    private final Clock clock = new Clock();
    private final Demand demand = new Demand(clock);
    private final Registry registry = new Registry(
            List.of(new Registration<>(JobType.of("task", String.class),
                    new Handling.InOne<>((text, job) -> null), settings())),
            settings(), List.of(), clock, demand::work);
    private final InFlight inFlight = new InFlight(registry, demand);
    private final ConcurrentLinkedQueue<Claim> ordinary = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Claim> suspects = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<List<Wanted>> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<Claim> started = new LinkedBlockingQueue<>();
    private final Semaphore end = new Semaphore(0);
    private final WorkerGroup group = new WorkerGroup(
            new WorkerGroup.Plan(PoolSettings.DEFAULT_GROUP,
                    new ThreadWorkforce(PoolSettings.DEFAULT_GROUP, clock), false, true, false, null),
            new WorkerGroup.Work() {
                @Override
                public boolean run(Worker worker, Claim claim) {
                    started.add(claim);
                    end.acquireUninterruptibly();
                    inFlight.settled(claim);
                    demand.room();
                    return true;
                }

                @Override
                public void giveBack(Claim claim, String reason, Runnable then) {
                    throw new AssertionError("threads are never ill");
                }

                @Override
                public void refuse(Claim claim, JobException why) {
                    throw new AssertionError("there are no sessions");
                }
            }, new WorkerGroup.News() {
                @Override
                public void freed() {
                    demand.room();
                }

                @Override
                public void joined() {
                    demand.work();
                }

                @Override
                public void happened(WorkerEvent event) {
                    throw new AssertionError("threads tell nothing");
                }
            });
    private @Nullable Dispatcher dispatcher;

    /** Stands still until it is told to go on. */
    private static final class Clock implements SteerableClock {
        private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
        private volatile Instant now = Instant.EPOCH;

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public void onJump(Runnable listener) {
            listeners.add(listener);
        }

        void advance(Duration by) {
            now = now.plus(by);
            listeners.forEach(Runnable::run);
        }
    }

    private void start(@Nullable Duration pollEvery) {
        group.open("node", 1);
        dispatcher = new Dispatcher(this::claim, clock, demand, inFlight, registry, List.of(group),
                new Dispatcher.Ahead() {
                    @Override
                    public int most() {
                        return 10;
                    }

                    @Override
                    public int unsettled() {
                        return 0;
                    }
                }, new Claiming(10, pollEvery, 5, Duration.ofSeconds(30)));
        Thread.ofPlatform().daemon().start(dispatcher);
    }

    private static PoolSettings settings() {
        return new PoolSettings(1, Map.of(), NewJob.UNLIMITED, Map.of(), 1_000, Duration.ofMinutes(1),
                RetryPolicy.none(), null, FailureCategory.TRANSIENT, PoolSettings.Stopping.standard(),
                PoolSettings.Claiming.standard(), PoolSettings.Recovering.standard(), Retention.standard(),
                PoolSettings.Liveness.standard(), null);
    }

    private Claimed claim(Instant now, int limit, List<Wanted> wanted) {
        asked.add(wanted);
        ConcurrentLinkedQueue<Claim> queue = wanted.getFirst().suspect() ? suspects : ordinary;
        List<Claim> claims = new ArrayList<>();
        for (int i = 0; i < limit && !queue.isEmpty(); i++) {
            claims.add(queue.remove());
        }
        return new Claimed(claims, 0, null);
    }

    private static Claim job(boolean suspect) {
        JobSpec spec = new JobSpec(JobId.next(), "task", "default", 0, "\"\"", Instant.EPOCH,
                JobSpec.Extras.NONE);
        return new Claim(
                new Job(1, spec, JobState.ASSIGNED, Phase.INGEST, new Job.Counts(1, 0, 0),
                        new Job.Status(null, "n", null, null, null, null, null, null, null)),
                suspect);
    }

    private void start() {
        start(Duration.ZERO);
    }

    private Claim nextStart() throws InterruptedException {
        Claim claim = started.poll(30, TimeUnit.SECONDS);
        assertThat(claim).as("a job starts").isNotNull();
        return claim;
    }

    @AfterEach
    void close() {
        Objects.requireNonNull(dispatcher).close();
        end.release(100);
        group.close();
    }

    @Test
    void asksForSuspectsOnceAWorkerIsFreeAgain() throws Exception {
        ordinary.add(job(false));
        start();
        demand.work();
        assertThat(nextStart().suspect()).isFalse();
        suspects.add(job(true));
        asked.clear();
        demand.work();
        // With the worker busy it asks ahead, for ordinary jobs only, and finds none.
        assertThat(asked.poll(30, TimeUnit.SECONDS)).noneMatch(Wanted::suspect);

        end.release();
        assertThat(nextStart().suspect()).isTrue();
    }

    @Test
    void runsSuspectsOneAtATime() throws Exception {
        suspects.addAll(List.of(job(true), job(true), job(true)));
        start();
        demand.work();
        for (int left = 2; left >= 0; left--) {
            nextStart();
            assertThat(suspects).hasSize(left);
            end.release();
        }
    }

    @Test
    void asksNothingOfADryStoreUntilThereIsWork() throws Exception {
        start();
        awaitALook();
        demand.room();
        demand.room();
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).as("room alone is no reason to ask").isNull();

        ordinary.add(job(false));
        demand.work();
        nextStart();
    }

    /** It asks for suspects first, where a worker is free, and for ordinary jobs last. */
    private void awaitALook() throws InterruptedException {
        List<Wanted> wanted;
        do {
            wanted = asked.poll(30, TimeUnit.SECONDS);
            assertThat(wanted).as("it looks").isNotNull();
        } while (wanted.getFirst().suspect());
    }

    private void advanceInVain(Duration by) throws InterruptedException {
        clock.advance(by);
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).as("too early to look").isNull();
    }

    @Test
    void looksUnaskedEverMoreRarelyFromIdleAndSoonAgainOnceItFoundSomething() throws Exception {
        start(null);
        awaitALook();
        for (long pause : new long[]{100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000}) {
            advanceInVain(Duration.ofMillis(pause - 1));
            clock.advance(Duration.ofMillis(1));
            awaitALook();
        }
        ordinary.add(job(false));
        end.release();
        clock.advance(Duration.ofSeconds(5));
        nextStart();
        awaitALook();

        advanceInVain(Duration.ofMillis(99));
        clock.advance(Duration.ofMillis(1));
        awaitALook();
    }

    @Test
    void looksUnaskedAtAFixedPaceWhereToldTo() throws Exception {
        start(Duration.ofSeconds(7));
        awaitALook();
        for (int i = 0; i < 3; i++) {
            advanceInVain(Duration.ofMillis(6_999));
            clock.advance(Duration.ofMillis(1));
            awaitALook();
        }
    }

    @Test
    void looksMoreOftenWhereItHearsNothing() throws Exception {
        start(null);
        awaitALook();
        for (int i = 0; i < 7; i++) {
            clock.advance(Duration.ofSeconds(5));
            awaitALook();
        }
        demand.hearing(false);
        // So that it has heard of that before its time goes on.
        demand.work();
        awaitALook();

        advanceInVain(Duration.ofMillis(999));
        clock.advance(Duration.ofMillis(1));
        awaitALook();
    }

    /** Whatever the polling: an hour is nothing to it, and a submission all. */
    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1H"})
    void isWokenByWorkAtOnce(Duration pollEvery) throws Exception {
        start(pollEvery);
        awaitALook();
        ordinary.add(job(false));
        demand.work();

        nextStart();
    }

    @Test
    void neverLooksUnaskedWherePollingIsOff() throws Exception {
        start(Duration.ZERO);
        awaitALook();

        advanceInVain(Duration.ofDays(1));
    }
}
