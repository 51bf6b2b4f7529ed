package dev.heddle.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.JobHandle;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.Wire;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** The rules of many nodes, each with the interleaving that would break it, forced on a wire that can be tampered with. */
class ClusterTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    private final Schemas schemas = new Schemas(Version.V18);
    private final List<Pool> pools = new ArrayList<>();
    private final Semaphore go = new Semaphore(0);

    @BeforeEach
    void makeTheSchema() {
        schemas.openNew().close();
    }

    @AfterEach
    void close() {
        go.release(100);
        pools.forEach(Pool::close);
    }

    private Pool open(PoolBuilder builder) {
        Pool pool = builder.open();
        pools.add(pool);
        return pool;
    }

    /** Its lease outlasts whatever holds up this process: who is to lose it is {@linkplain Schemas#bury buried}. */
    private static PoolBuilder on(Store store) {
        return Pool.on(store).workers(2).lease(LONG).renewEvery(Duration.ofMillis(300))
                .cancelGrace(SHORT, SHORT).closeTimeout(Duration.ofMillis(200));
    }

    /** The lease lapses when half of it is over, so that there is time between that and its end. */
    private static PoolBuilder lapsing(Store store) {
        return on(store).lease(LEASE).cancelGrace(SHORT, LEASE.dividedBy(2));
    }

    private PoolBuilder node() {
        return on(schemas.openAgain());
    }

    private static Story story(Pool pool, JobHandle<?> handle) {
        return pool.story(handle.id()).orElseThrow();
    }

    private static void awaitState(Pool pool, JobHandle<?> handle, JobState state) {
        Awaitility.await().atMost(LONG).until(() -> pool.find(handle.id()).orElseThrow().state() == state);
    }

    /** Until it has renewed its lease so many times from now on. */
    private static void awaitRenewals(Pool pool, int times) {
        Set<Instant> seen = new HashSet<>();
        Awaitility.await().atMost(LONG).until(() -> {
            pool.nodes().stream().filter(node -> node.id().equals(pool.nodeId()))
                    .map(NodeRecord::renewedAt).forEach(seen::add);
            return seen.size() > times;
        });
    }

    /** Runs until it may go, whatever it is told: such handlers exist. */
    private JobHandler<String, String> stubborn(CountDownLatch started, String result) {
        return (text, job) -> {
            started.countDown();
            go.acquireUninterruptibly();
            return result;
        };
    }

    @Test
    void givesAClaimBackWhoseAnswerWasLost() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        Pool pool = open(on(wire.store()).handle(ECHO, (text, job) -> text + job.attempt()));
        wire.lose("claim", 1);

        JobHandle<String> handle = pool.submit(ECHO, "attempt ");

        // The next answer goes back as well where it is on its way for longer than a renewal takes to come.
        assertThat(handle.await(LONG)).isNotEqualTo("attempt 1");
        assertThat(story(pool, handle).history()).extracting(HistoryEntry::reason)
                .containsOnly("its claim never reached the node");
        assertThat(story(pool, handle).attempts()).as("the lost one was never started").hasSize(1);
    }

    /** The claim that was given back is somebody else's by now; its handler must not run here as well. */
    @Test
    void doesNotStartAClaimThatItGaveBackBecauseItsAnswerWasLate() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        List<Integer> started = new CopyOnWriteArrayList<>();
        Pool pool = open(on(wire.store()).handle(ECHO, (text, job) -> {
            started.add(job.attempt());
            return text;
        }));
        wire.delay("claim");
        JobHandle<String> handle = pool.submit(ECHO, "x");
        Awaitility.await().atMost(LONG).until(() -> !story(pool, handle).history().isEmpty());

        wire.mend();

        assertThat(handle.await(LONG)).isEqualTo("x");
        assertThat(started).hasSize(1).doesNotContain(1);
    }

    @Test
    void countsAnOutcomeOnceWhoseAnswerWasLost() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        AtomicInteger runs = new AtomicInteger();
        Pool pool = open(on(wire.store()).handle(ECHO, (text, job) -> text + runs.incrementAndGet()));
        wire.lose("apply", 2);

        JobHandle<String> handle = pool.submit(ECHO, "run ");

        assertThat(handle.await(LONG)).isEqualTo("run 1");
        assertThat(story(pool, handle).attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.COMPLETED);
        // Whoever waits may have seen the end in the store before the ledger got its answer.
        Awaitility.await().atMost(LONG).until(() -> pool.stats().completed() > 0);
        assertThat(pool.stats().completed()).isEqualTo(1);
    }

    @Test
    void storesAJobOnceWhoseSubmitWasAnsweredByAnError() {
        Wire wire = new Wire(schemas.openAgain());
        Pool pool = open(on(wire.store()));
        wire.lose("insert", 1);
        var request = ECHO.with("once");

        assertThat(CompletableFuture.supplyAsync(() -> pool.submit(request))).failsWithin(LONG);
        JobHandle<String> again = pool.submit(request);

        assertThat(pool.list(JobQuery.all())).extracting(Job::id)
                .containsExactly(again.id());
    }

    @Test
    void refusesTheResultOfANodeThatWasGivenUpAndLetsItComeBack() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        CountDownLatch started = new CountDownLatch(1);
        Pool stopped = open(on(wire.store()).handle(ECHO, stubborn(started, "of the stopped node")));
        String name = stopped.nodeId();
        JobHandle<String> handle = stopped.submit(ECHO, "x");
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        // A handler may run before its start is written.
        awaitState(stopped, handle, JobState.RUNNING);
        wire.hang();
        Pool living = open(node().handle(ECHO, (text, job) -> "of the living node"));
        schemas.bury(name);

        assertThat(living.handle(handle.id(), ECHO).await(LONG)).isEqualTo("of the living node");
        wire.mend();
        go.release(1);

        Awaitility.await().atMost(LONG).until(() -> stopped.nodeId().equals(name + ".2"));
        assertThat(story(living, handle).job().result()).contains("\"of the living node\"");
        assertThat(story(living, handle).attempts()).extracting(Attempt::end)
                .containsExactly(Attempt.End.CRASHED, Attempt.End.COMPLETED);
        assertThat(living.nodes()).extracting(NodeRecord::id).containsExactlyInAnyOrder(name + ".2",
                living.nodeId());
        living.close();
        go.release(1);
        assertThat(stopped.submit(ECHO, "y").await(LONG)).as("it works again")
                .isEqualTo("of the stopped node");
    }

    /** Its watchdog has a clock that stands still, and so does not stop the attempt: as if the process had been stopped. */
    @Test
    void doesNotRepeatAStepInAnAttemptWhoseJobHasEndedElsewhere() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        AtomicInteger steps = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Pool stopped = open(on(wire.store()).clock(new ManualClock(Instant.now()))
                .retry(RetryPolicy.linear(3, Duration.ZERO)).handle(ECHO, (text, job) -> {
                    if (job.attempt() == 1) {
                        job.step("once", steps::incrementAndGet);
                        throw JobException.transientFailure("after the step");
                    }
                    second.countDown();
                    go.acquireUninterruptibly();
                    try {
                        job.step("once", steps::incrementAndGet);
                    } finally {
                        over.countDown();
                    }
                    return "too late";
                }));
        JobHandle<String> handle = stopped.submit(ECHO, "x");
        assertThat(second.await(30, TimeUnit.SECONDS)).isTrue();
        wire.cut("renew");
        Pool living = open(node().handle(ECHO, (text, job) -> {
            job.step("once", steps::incrementAndGet);
            return text;
        }));
        schemas.bury(stopped.nodeId());
        assertThat(living.handle(handle.id(), ECHO).await(LONG)).isEqualTo("x");

        go.release(1);

        assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(steps).hasValue(1);
    }

    @Test
    void stopsItsAttemptsBeforeTheLeaseEndsAndGoesOnAfterwards() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        CompletableFuture<Long> toldAt = new CompletableFuture<>();
        AtomicInteger runs = new AtomicInteger();
        Pool pool = open(lapsing(wire.store()).handle(ECHO, (text, job) -> {
            if (runs.incrementAndGet() == 1) {
                job.cancellation().onCancel(() -> toldAt.complete(System.nanoTime()));
                job.sleep(LONG);
            }
            return job.cancellation().reason().orElse("run " + runs);
        }));
        JobHandle<String> handle = pool.submit(ECHO, "x");
        awaitState(pool, handle, JobState.RUNNING);
        long cutAt = System.nanoTime();
        wire.cut("renew", "apply", "claim");

        long told = toldAt.get(30, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(told - cutAt)).as("before anybody may take over").isLessThan(LEASE);
        assertThat(pool.find(handle.id()).orElseThrow().state()).as("nothing could be written yet")
                .isEqualTo(JobState.RUNNING);
        String name = pool.nodeId();
        schemas.change("UPDATE heddle.node SET lease_until = '-infinity'");
        wire.mend();

        assertThat(handle.await(LONG)).isEqualTo("run 2");
        Story story = story(pool, handle);
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.RELEASED,
                Attempt.End.COMPLETED);
        // Who claims before the lease is renewed hands back, and claims again.
        assertThat(story.job().counts()).as("nothing was counted")
                .isEqualTo(new Job.Counts(story.job().counts().attempt(), 0, 0));
        assertThat(pool.nodeId()).as("nobody had declared it dead").isEqualTo(name);
    }

    /** Whatever time its type asks for to stop: the other node has the job when the lease ends. */
    @Test
    void interruptsWhatWouldTakeLongToStopBeforeTheLeaseEnds() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        List<String> order = new CopyOnWriteArrayList<>();
        JobType<String, String> slow = ECHO.stopWithin(Duration.ofMinutes(1));
        Pool first = open(lapsing(wire.store()).handle(slow, (text, job) -> {
            try {
                Thread.sleep(LONG);
            } catch (InterruptedException e) {
                order.add("interrupted");
            }
            return text;
        }));
        JobHandle<String> handle = first.submit(slow, "x");
        awaitState(first, handle, JobState.RUNNING);
        Pool second = open(node().handle(slow, (text, job) -> {
            order.add("started elsewhere");
            return text;
        }));
        schemas.letAllBeSteady();

        wire.cut("renew", "apply", "claim");

        awaitState(second, handle, JobState.COMPLETED);
        assertThat(order).containsExactly("interrupted", "started elsewhere");
    }

    @Test
    void stopsItsAttemptsThoughItsLeaseWasNeverRenewed() throws Exception {
        Wire wire = new Wire(schemas.openAgain());
        wire.cut("renew");
        CompletableFuture<String> told = new CompletableFuture<>();
        Pool pool = open(lapsing(wire.store()).handle(ECHO, (text, job) -> {
            job.cancellation().onCancel(() -> told.complete(job.cancellation().reason().orElse("")));
            job.sleep(LONG);
            return text;
        }));

        pool.submit(ECHO, "x");

        assertThat(told.get(30, TimeUnit.SECONDS)).isEqualTo("the lease could not be renewed in time");
    }

    @Test
    void buriesNobodyAfterAnOutageThatHitAll() throws Exception {
        Wire first = new Wire(schemas.openAgain());
        Wire second = new Wire(schemas.openAgain());
        Pool one = open(on(first.store()).handle(ECHO, (text, job) -> text));
        Pool other = open(on(second.store()).handle(ECHO, (text, job) -> text));
        List<String> names = List.of(one.nodeId(), other.nodeId());
        schemas.letAllBeSteady();
        for (Wire wire : List.of(first, second)) {
            wire.cut("renew");
            // No renewal is under way any more.
            Awaitility.await().atMost(LONG).until(() -> wire.refused() > 0);
            wire.cut("apply", "claim", "recover");
        }
        schemas.change("UPDATE heddle.node SET lease_until = '-infinity'");

        first.mend();
        // Each time it could bury the other, had it not to wait.
        awaitRenewals(one, 3);
        second.mend();
        awaitRenewals(other, 3);

        assertThat(List.of(one.nodeId(), other.nodeId())).isEqualTo(names);
        assertThat(one.nodes()).extracting(NodeRecord::id).containsExactlyInAnyOrderElementsOf(names);
        assertThat(one.submit(ECHO, "fine").await(LONG)).isEqualTo("fine");
    }

    @Test
    void cancelsWhatAnotherNodeRuns() throws Exception {
        CompletableFuture<String> reason = new CompletableFuture<>();
        open(node().renewEvery(Duration.ofMinutes(1)).lease(Duration.ofMinutes(3)).handle(ECHO,
                (text, job) -> {
                    job.cancellation()
                            .onCancel(() -> reason.complete(job.cancellation().reason().orElseThrow()));
                    job.sleep(LONG);
                    return text;
                }));
        Pool other = open(node());
        JobHandle<String> handle = other.submit(ECHO, "x");
        awaitState(other, handle, JobState.RUNNING);

        handle.cancel("not needed any more");

        assertThat(reason.get(30, TimeUnit.SECONDS)).as("long before the next renewal")
                .isEqualTo("not needed any more");
        Awaitility.await().atMost(LONG).untilAsserted(() -> assertThat(story(other, handle).attempts())
                .extracting(Attempt::end).containsExactly(Attempt.End.CANCELLED));
        assertThat(story(other, handle).job().state()).isEqualTo(JobState.CANCELLED);
    }

    @Test
    void cancelsWhatAnotherNodeRunsAtItsNextRenewalWhereAnnouncementsAreLost() throws Exception {
        CompletableFuture<String> reason = new CompletableFuture<>();
        open(on(Deaf.store(schemas)).handle(ECHO, (text, job) -> {
            job.cancellation().onCancel(() -> reason.complete(job.cancellation().reason().orElseThrow()));
            job.sleep(LONG);
            return text;
        }));
        Pool other = open(node());
        JobHandle<String> handle = other.submit(ECHO, "x");
        awaitState(other, handle, JobState.RUNNING);

        handle.cancel("not needed any more");

        assertThat(reason.get(30, TimeUnit.SECONDS)).isEqualTo("not needed any more");
    }

    @Test
    void letsALongJobOfALivingNodeRunForManyLeases() throws Exception {
        Duration lease = Duration.ofSeconds(5);
        Pool busy = open(node().lease(lease).handle(ECHO, (text, job) -> {
            job.sleep(lease.multipliedBy(2));
            return text;
        }));
        JobHandle<String> handle = busy.submit(ECHO, "done in one go");
        awaitState(busy, handle, JobState.RUNNING);
        open(node().handle(ECHO, (text, job) -> "rescued"));
        schemas.letAllBeSteady();

        assertThat(handle.await(LONG)).isEqualTo("done in one go");
        assertThat(story(busy, handle).attempts()).hasSize(1);
    }

    @Test
    void tellsAWaiterTheEndOfAJobThatAnotherNodeRan() throws Exception {
        Pool submitter = open(node());
        JobHandle<String> handle = submitter.submit(ECHO, "across");
        CompletableFuture<Job> early = handle.ending();
        open(node().handle(ECHO, (text, job) -> text));

        assertThat(handle.await(LONG)).isEqualTo("across");
        assertThat(early).succeedsWithin(LONG);
    }

    @Test
    void leavesAtOnceWhenItCloses() {
        Pool first = open(node());
        Pool second = open(node());
        assertThat(first.nodes()).hasSize(2);

        second.close();

        assertThat(first.nodes()).extracting(NodeRecord::id).containsExactly(first.nodeId());
    }
}
