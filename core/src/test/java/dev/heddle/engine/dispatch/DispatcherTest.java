package dev.heddle.engine.dispatch;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import dev.heddle.engine.execute.ThreadWorkforce;
import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Handling;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.testing.ManualClock;
import dev.heddle.engine.testing.Samples;
import dev.heddle.env.Environment;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobStatus;
import dev.heddle.job.JobType;
import dev.heddle.job.Phase;
import dev.heddle.pool.PoolSettings;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.StoreException;
import dev.heddle.store.Suspicion;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** Runs the claim loop on a store of two queues, with one worker whose jobs end when the test says so. */
class DispatcherTest {

    private final ManualClock clock = new ManualClock();
    private final Environment env = Environment.system().withClock(clock);
    private final Demand demand = new Demand(env);
    private final HandlerRegistry registry = new HandlerRegistry(
            List.of(new Registration<>(JobType.of("task", String.class),
                    new Handling.SinglePhase<>((text, job) -> null), Samples.settings())),
            Samples.settings(), List.of(), env, demand::workAvailable);
    private final ClaimsInFlight inFlight = new ClaimsInFlight(registry, demand, env);
    private final ConcurrentLinkedQueue<Claim> ordinary = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Claim> suspects = new ConcurrentLinkedQueue<>();
    private final ConcurrentLinkedQueue<Later> scheduled = new ConcurrentLinkedQueue<>();
    private final BlockingQueue<List<Wanted>> asked = new LinkedBlockingQueue<>();
    private final BlockingQueue<Claim> started = new LinkedBlockingQueue<>();
    private final BlockingQueue<Integer> failures = new LinkedBlockingQueue<>();
    private final Semaphore end = new Semaphore(0);
    private volatile int failuresLeft;
    private final WorkerGroup group = new WorkerGroup(new WorkerGroup.Settings(PoolSettings.DEFAULT_GROUP,
            new ThreadWorkforce(PoolSettings.DEFAULT_GROUP, clock), false, true, null),
            new WorkerGroup.ClaimRunner() {
                @Override
                public boolean run(Worker worker, Claim claim) {
                    started.add(claim);
                    end.acquireUninterruptibly();
                    inFlight.settle(claim);
                    demand.roomAvailable();
                    return true;
                }

                @Override
                public void release(Claim claim, String reason, Runnable then) {
                    throw new AssertionError("threads are always healthy");
                }

                @Override
                public void fail(Claim claim, JobException cause) {
                    throw new AssertionError("there are no sessions");
                }
            }, new WorkerGroup.Listener() {
                @Override
                public void workerFreed() {
                    demand.roomAvailable();
                }

                @Override
                public void workerJoined() {
                    demand.workAvailable();
                }

                @Override
                public void publish(WorkerEvent event) {
                    throw new AssertionError("threads publish nothing");
                }
            }, inFlight.starts(), env);
    private @Nullable Dispatcher dispatcher;
    private int workers = 1;
    private int jobs;

    private record Later(Duration due, Claim suspect) {}

    private void start(@Nullable Duration pollEvery) {
        group.open("node", workers);
        dispatcher = new Dispatcher(new ClaimSource() {
            @Override
            public ClaimResult claim(int limit, List<Wanted> wanted) {
                return claimFromQueues(limit, wanted);
            }

            @Override
            public int maxAhead() {
                return 10;
            }

            @Override
            public int unsettled() {
                return 0;
            }
        }, env, demand, inFlight, registry, List.of(group), new Claiming(10, pollEvery, 5, Duration.ofSeconds(30)));
        Thread.ofPlatform().daemon().start(dispatcher::run);
    }

    /** Reports the request after it has taken its jobs, so a job that is added later is left for the next request. */
    private ClaimResult claimFromQueues(int limit, List<Wanted> wanted) {
        int left = failuresLeft;
        if (left > 0) {
            failuresLeft = left - 1;
            failures.add(left);
            throw new StoreException(StoreException.Kind.READ_ONLY, "made up");
        }
        int promoted = 0;
        Duration now = clock.elapsed();
        while (!scheduled.isEmpty() && scheduled.element().due.compareTo(now) <= 0) {
            suspects.add(scheduled.remove().suspect);
            promoted++;
        }
        Duration untilDue = scheduled.isEmpty() ? null : scheduled.element().due.minus(now);
        ConcurrentLinkedQueue<Claim> queue = wanted.getFirst().suspect() ? suspects : ordinary;
        List<Claim> claims = new ArrayList<>();
        boolean capped = false;
        while (claims.size() < limit && !queue.isEmpty() && !capped) {
            claims.add(queue.remove());
            capped = claims.getLast().suspicion().isCapped();
        }
        asked.add(wanted);
        return new ClaimResult(claims, promoted, untilDue);
    }

    private Claim job(boolean suspect) {
        return job(suspect ? Suspicion.NONE.suspected() : Suspicion.NONE);
    }

    private Claim job(Suspicion suspicion) {
        JobSpec spec = new JobSpec(JobId.next(), "task", "default", 0, "\"\"", Instant.EPOCH, JobSpec.Extras.NONE);
        return new Claim(new Job(++jobs, spec, Phase.INGEST, new Job.Counts(1, 0, 0),
                new JobStatus.Assigned("n", Instant.EPOCH), null), suspicion);
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
        Objects.requireNonNull(dispatcher).stop();
        end.release(100);
        group.close();
    }

    @Test
    void asksForSuspectsOnceAWorkerIsFreeAgain() throws Exception {
        ordinary.add(job(false));
        start();
        demand.workAvailable();
        assertThat(nextStart().suspect()).isFalse();
        suspects.add(job(true));
        asked.clear();
        demand.workAvailable();
        // With the worker busy it asks ahead, for ordinary jobs only, and finds none.
        assertThat(asked.poll(30, TimeUnit.SECONDS)).noneMatch(Wanted::suspect);

        end.release();
        assertThat(nextStart().suspect()).isTrue();
    }

    @Test
    void startsASuspectThatBecameDueWhileNoWorkerWasFree() throws Exception {
        workers = 2;
        for (int millis : List.of(1_000, 2_000, 2_500)) {
            scheduled.add(new Later(Duration.ofMillis(millis), job(true)));
        }
        start();
        for (int second = 1; second <= 2; second++) {
            awaitPoll();
            clock.advance(Duration.ofSeconds(1));
            nextStart();
        }
        clock.advance(Duration.ofMillis(500));
        await(scheduled::isEmpty);
        assertThat(started).as("both workers are busy").isEmpty();

        end.release();
        nextStart();
    }

    @Test
    void startsAsManySuspectsAsThereAreWorkersAndClaimsNoneAhead() throws Exception {
        workers = 3;
        for (int i = 0; i < 5; i++) {
            suspects.add(job(true));
        }
        start();
        demand.workAvailable();
        for (int i = 0; i < 3; i++) {
            nextStart();
        }
        assertThat(suspects).hasSize(2);
        end.release(2);
        nextStart();
        nextStart();
    }

    @Test
    void startsNoMoreBesideACappedSuspectThanItsCapAllows() throws Exception {
        workers = 8;
        Suspicion two = new Suspicion(true, 2, 1, Duration.ZERO, 0);
        suspects.addAll(List.of(job(two), job(two), job(two)));
        ordinary.addAll(List.of(job(false), job(false)));
        start();
        demand.workAvailable();

        nextStart();
        nextStart();
        assertThat(started.poll(200, TimeUnit.MILLISECONDS)).as("two are on probation").isNull();
        assertThat(suspects).as("the others wait in the queue").hasSize(1);
        assertThat(ordinary).hasSize(2);

        end.release();
        assertThat(nextStart().suspect()).isTrue();
        end.release(2);
        assertThat(nextStart().suspect()).isFalse();
        assertThat(nextStart().suspect()).isFalse();
    }

    /** A busy node must not keep a capped suspect waiting for ever. */
    @Test
    void letsNothingElseStartWhileACappedSuspectWaitsForItsTurn() throws Exception {
        workers = 4;
        ordinary.addAll(List.of(job(false), job(false)));
        start();
        demand.workAvailable();
        nextStart();
        nextStart();
        suspects.add(job(new Suspicion(true, 1, 1, Duration.ZERO, 0)));
        ordinary.addAll(List.of(job(false), job(false)));
        demand.workAvailable();
        await(() -> suspects.isEmpty());

        end.release();
        assertThat(started.poll(200, TimeUnit.MILLISECONDS)).as("one other still runs").isNull();
        end.release();
        assertThat(nextStart().suspect()).isTrue();
        assertThat(started.poll(200, TimeUnit.MILLISECONDS)).as("it runs alone").isNull();
        end.release();
        assertThat(nextStart().suspect()).isFalse();
        assertThat(nextStart().suspect()).isFalse();
    }

    /** If claims always wait for the workers, no worker is ever free when the dispatcher looks. */
    @Test
    void asksForASuspectEverySecondEvenIfNoWorkerIsEverFree() throws Exception {
        ordinary.add(job(false));
        start();
        demand.workAvailable();
        nextStart();
        suspects.add(job(true));
        clock.advance(Duration.ofSeconds(1));
        ordinary.add(job(false));
        demand.workAvailable();

        await(suspects::isEmpty);
    }

    private static void await(BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).as("the condition is met in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void claimsAgainAsSoonAsTheStoreHasRecovered() throws Exception {
        failuresLeft = 16; // their pauses would take three minutes
        ordinary.add(job(false));
        start();
        demand.workAvailable();
        for (int i = 0; i < 16; i++) {
            assertThat(failures.poll(30, TimeUnit.SECONDS)).as("claim %d", i).isNotNull();
            Objects.requireNonNull(dispatcher).storeRecovered();
        }
        nextStart();
    }

    @Test
    void doesNotAskADryStoreUntilThereIsWork() throws Exception {
        start();
        awaitPoll();
        demand.roomAvailable();
        demand.roomAvailable();
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).as("a free worker alone is no reason to ask").isNull();

        ordinary.add(job(false));
        demand.workAvailable();
        nextStart();
    }

    /** Waits for the last request of a poll: suspects come first, ordinary jobs last. */
    private void awaitPoll() throws InterruptedException {
        List<Wanted> wanted;
        do {
            wanted = asked.poll(30, TimeUnit.SECONDS);
            assertThat(wanted).as("it polls").isNotNull();
        } while (wanted.getFirst().suspect());
    }

    private void advanceWithoutPoll(Duration by) throws InterruptedException {
        clock.advance(by);
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).as("too early to poll").isNull();
    }

    @Test
    void pollsLessOftenWhileIdleAndSoonAgainAfterItFoundSomething() throws Exception {
        start(null);
        awaitPoll();
        for (long pause : new long[]{100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000}) {
            advanceWithoutPoll(Duration.ofMillis(pause - 1));
            clock.advance(Duration.ofMillis(1));
            awaitPoll();
        }
        ordinary.add(job(false));
        end.release();
        clock.advance(Duration.ofSeconds(5));
        nextStart();
        awaitPoll();

        advanceWithoutPoll(Duration.ofMillis(99));
        clock.advance(Duration.ofMillis(1));
        awaitPoll();
    }

    @Test
    void pollsAtAFixedIntervalIfConfigured() throws Exception {
        start(Duration.ofSeconds(7));
        awaitPoll();
        for (int i = 0; i < 3; i++) {
            advanceWithoutPoll(Duration.ofMillis(6_999));
            clock.advance(Duration.ofMillis(1));
            awaitPoll();
        }
    }

    @Test
    void pollsMoreOftenWithoutNotifications() throws Exception {
        start(null);
        awaitPoll();
        for (int i = 0; i < 7; i++) {
            clock.advance(Duration.ofSeconds(5));
            awaitPoll();
        }
        demand.setListening(false);
        // Makes sure that the dispatcher has noticed before the clock moves.
        demand.workAvailable();
        awaitPoll();

        advanceWithoutPoll(Duration.ofMillis(999));
        clock.advance(Duration.ofMillis(1));
        awaitPoll();
    }

    /** Independent of the polling interval. */
    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT1H"})
    void claimsNewWorkAtOnce(Duration pollEvery) throws Exception {
        start(pollEvery);
        awaitPoll();
        ordinary.add(job(false));
        demand.workAvailable();

        nextStart();
    }

    @Test
    void pollsInTimeIfTheClockIsSet() throws Exception {
        start(Duration.ofSeconds(7));
        awaitPoll();

        clock.jump(Duration.ofHours(1));
        assertThat(asked.poll(200, TimeUnit.MILLISECONDS)).as("no time has passed").isNull();
        clock.jump(Duration.ofHours(-2));
        clock.advance(Duration.ofSeconds(7));
        awaitPoll();
    }

    @Test
    void neverPollsIfPollingIsOff() throws Exception {
        start(Duration.ZERO);
        awaitPoll();

        advanceWithoutPoll(Duration.ofDays(1));
    }
}
