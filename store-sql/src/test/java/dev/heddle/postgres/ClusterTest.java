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
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer.Version;
import dev.heddle.testkit.StoreFaults;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The rules for several nodes. Each test forces the interleaving that would break a rule, by tampering with calls to
 * the store.
 */
class ClusterTest {

    private static final Duration LONG = Duration.ofSeconds(30);
    private static final Duration SHORT = Duration.ofMillis(100);
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final JobType<String, String> ECHO = JobType.of("echo", String.class, String.class);

    private final Schemas schemas = new Schemas(Version.V18);
    private final List<Pool> pools = new ArrayList<>();
    private final Semaphore go = new Semaphore(0);

    @BeforeEach
    void createSchema() {
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

    /** The lease outlasts any delay of this process. A node loses it only by {@link Schemas#declareDead}. */
    private static PoolBuilder on(Store store) {
        return Pool.on(store).workers(2).lease(LONG).renewEvery(Duration.ofMillis(300)).cancelGrace(SHORT, SHORT)
                .closeTimeout(Duration.ofMillis(200));
    }

    /** The node gives its lease up when half of it is over, which leaves time until it expires. */
    private static PoolBuilder lapsing(Store store) {
        return on(store).lease(LEASE).cancelGrace(SHORT, LEASE.dividedBy(2));
    }

    private PoolBuilder node() {
        return on(schemas.openAgain());
    }

    private static JobDetails story(Pool pool, JobHandle<?> handle) {
        return pool.admin().details(handle.id()).orElseThrow();
    }

    private static void awaitState(Pool pool, JobHandle<?> handle, JobState state) {
        Awaitility.await().atMost(LONG).until(() -> pool.find(handle.id()).orElseThrow().state() == state);
    }

    /** Waits until the node has renewed its lease a number of times. */
    private static void awaitRenewals(Pool pool, int times) {
        Set<Instant> seen = new HashSet<>();
        Awaitility.await().atMost(LONG).until(() -> {
            pool.admin().nodes().stream().filter(node -> node.id().equals(pool.admin().nodeId()))
                    .map(NodeRecord::renewedAt).forEach(seen::add);
            return seen.size() > times;
        });
    }

    /** A handler that ignores cancellation and interrupts. */
    private JobHandler<String, String> stubborn(CountDownLatch started, String result) {
        return (text, job) -> {
            started.countDown();
            go.acquireUninterruptibly();
            return result;
        };
    }

    @Test
    void releasesAClaimWhoseAnswerWasLost() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        Pool pool = open(on(faults.store()).register(ECHO, (text, job) -> text + job.attempt()));
        faults.loseAnswers("claim", 1);

        JobHandle<String> handle = pool.submit(ECHO, "attempt ");

        // The next claim is released too if its answer takes longer than a renewal.
        assertThat(handle.await(LONG)).isNotEqualTo("attempt 1");
        assertThat(story(pool, handle).history()).extracting(HistoryEntry::reason)
                .containsOnly("its claim never reached the node");
        assertThat(story(pool, handle).attempts()).as("the lost claim was never started").hasSize(1);
    }

    /** Another node may have the released job by now, so its handler must not run here. */
    @Test
    void doesNotStartAClaimThatItReleasedBecauseItsAnswerWasLate() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        List<Integer> started = new CopyOnWriteArrayList<>();
        Pool pool = open(on(faults.store()).register(ECHO, (text, job) -> {
            started.add(job.attempt());
            return text;
        }));
        faults.delayAnswers("claim");
        JobHandle<String> handle = pool.submit(ECHO, "x");
        Awaitility.await().atMost(LONG).until(() -> !story(pool, handle).history().isEmpty());

        faults.heal();

        assertThat(handle.await(LONG)).isEqualTo("x");
        assertThat(started).hasSize(1).doesNotContain(1);
    }

    @Test
    void countsAnOutcomeOnceWhoseAnswerWasLost() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        AtomicInteger runs = new AtomicInteger();
        Pool pool = open(on(faults.store()).register(ECHO, (text, job) -> text + runs.incrementAndGet()));
        faults.loseAnswers("apply", 2);

        JobHandle<String> handle = pool.submit(ECHO, "run ");

        assertThat(handle.await(LONG)).isEqualTo("run 1");
        assertThat(story(pool, handle).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.COMPLETED);
        // The waiter may have seen the end in the store before the ledger got its answer.
        Awaitility.await().atMost(LONG).until(() -> pool.stats().completed() > 0);
        assertThat(pool.stats().completed()).isEqualTo(1);
    }

    @Test
    void storesAJobOnceIfItsSubmitIsRepeatedAfterAnError() {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        Pool pool = open(on(faults.store()));
        faults.loseAnswers("insert", 1);
        var request = ECHO.with("once");

        assertThat(CompletableFuture.supplyAsync(() -> pool.submit(request))).failsWithin(LONG);
        JobHandle<String> again = pool.submit(request);

        assertThat(pool.admin().list(JobQuery.all())).extracting(Job::id).containsExactly(again.id());
    }

    @Test
    void refusesTheResultOfANodeThatWasDeclaredDeadAndLetsItJoinAgain() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        CountDownLatch started = new CountDownLatch(1);
        Pool stopped = open(on(faults.store()).register(ECHO, stubborn(started, "of the stopped node")));
        String name = stopped.admin().nodeId();
        JobHandle<String> handle = stopped.submit(ECHO, "x");
        assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
        // A handler may run before its start is written.
        awaitState(stopped, handle, JobState.RUNNING);
        faults.hang();
        Pool living = open(node().register(ECHO, (text, job) -> "of the living node"));
        schemas.declareDead(name);

        assertThat(living.job(handle.id(), ECHO).await(LONG)).isEqualTo("of the living node");
        faults.heal();
        go.release(1);

        Awaitility.await().atMost(LONG).until(() -> stopped.admin().nodeId().equals(name + ".2"));
        assertThat(story(living, handle).job().result()).contains("\"of the living node\"");
        assertThat(story(living, handle).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED,
                Attempt.End.COMPLETED);
        assertThat(living.admin().nodes()).extracting(NodeRecord::id).containsExactlyInAnyOrder(name + ".2",
                living.admin().nodeId());
        living.close();
        go.release(1);
        assertThat(stopped.submit(ECHO, "y").await(LONG)).as("it works again").isEqualTo("of the stopped node");
    }

    /** The clock of its watchdog stands still, so the attempt is not stopped: as if the process had been suspended. */
    @Test
    void doesNotRepeatAStepInAnAttemptWhoseJobHasEndedElsewhere() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        AtomicInteger steps = new AtomicInteger();
        CountDownLatch second = new CountDownLatch(1);
        CountDownLatch over = new CountDownLatch(1);
        Pool stopped = open(on(faults.store()).clock(new ManualClock(Instant.now()))
                .retry(RetryPolicy.linear(3, Duration.ZERO)).register(ECHO, (text, job) -> {
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
        faults.fail("renew");
        Pool living = open(node().register(ECHO, (text, job) -> {
            job.step("once", steps::incrementAndGet);
            return text;
        }));
        schemas.declareDead(stopped.admin().nodeId());
        assertThat(living.job(handle.id(), ECHO).await(LONG)).isEqualTo("x");

        go.release(1);

        assertThat(over.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(steps).hasValue(1);
    }

    @Test
    void stopsItsAttemptsBeforeTheLeaseExpiresAndGoesOnAfterwards() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        CompletableFuture<Long> toldAt = new CompletableFuture<>();
        AtomicInteger runs = new AtomicInteger();
        Pool pool = open(lapsing(faults.store()).register(ECHO, (text, job) -> {
            if (runs.incrementAndGet() == 1) {
                job.cancellation().onCancel(() -> toldAt.complete(System.nanoTime()));
                job.sleep(LONG);
            }
            return job.cancellation().reason().orElse("run " + runs);
        }));
        JobHandle<String> handle = pool.submit(ECHO, "x");
        awaitState(pool, handle, JobState.RUNNING);
        long cutAt = System.nanoTime();
        faults.fail("renew", "apply", "claim");

        long told = toldAt.get(30, TimeUnit.SECONDS);
        assertThat(Duration.ofNanos(told - cutAt)).as("before another node may take over").isLessThan(LEASE);
        assertThat(pool.find(handle.id()).orElseThrow().state()).as("nothing could be written yet")
                .isEqualTo(JobState.RUNNING);
        String name = pool.admin().nodeId();
        schemas.change("UPDATE heddle.node SET lease_until = '-infinity'");
        faults.heal();

        assertThat(handle.await(LONG)).isEqualTo("run 2");
        JobDetails story = story(pool, handle);
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.RELEASED,
                Attempt.End.COMPLETED);
        // A claim before the lease is renewed is released, and repeated.
        assertThat(story.job().counts()).as("counts").isEqualTo(new Job.Counts(story.job().counts().attempt(), 0, 0));
        assertThat(pool.admin().nodeId()).as("not declared dead").isEqualTo(name);
    }

    /** Although the type asks for more time to stop: another node gets the job when the lease expires. */
    @Test
    void interruptsAttemptsThatStopSlowlyBeforeTheLeaseExpires() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        List<String> order = new CopyOnWriteArrayList<>();
        JobType<String, String> slow = ECHO.stopWithin(Duration.ofMinutes(1));
        Pool first = open(lapsing(faults.store()).register(slow, (text, job) -> {
            try {
                Thread.sleep(LONG);
            } catch (InterruptedException e) {
                order.add("interrupted");
            }
            return text;
        }));
        JobHandle<String> handle = first.submit(slow, "x");
        awaitState(first, handle, JobState.RUNNING);
        Pool second = open(node().register(slow, (text, job) -> {
            order.add("started elsewhere");
            return text;
        }));
        schemas.makeAllNodesSteady();

        faults.fail("renew", "apply", "claim");

        awaitState(second, handle, JobState.COMPLETED);
        assertThat(order).containsExactly("interrupted", "started elsewhere");
    }

    @Test
    void stopsItsAttemptsThoughItsLeaseWasNeverRenewed() throws Exception {
        StoreFaults faults = new StoreFaults(schemas.openAgain());
        faults.fail("renew");
        CompletableFuture<String> told = new CompletableFuture<>();
        Pool pool = open(lapsing(faults.store()).register(ECHO, (text, job) -> {
            job.cancellation().onCancel(() -> told.complete(job.cancellation().reason().orElse("")));
            job.sleep(LONG);
            return text;
        }));

        pool.submit(ECHO, "x");

        assertThat(told.get(30, TimeUnit.SECONDS)).isEqualTo("the lease could not be renewed in time");
    }

    @Test
    void declaresNoNodeDeadAfterAnOutageThatAffectedAll() throws Exception {
        StoreFaults first = new StoreFaults(schemas.openAgain());
        StoreFaults second = new StoreFaults(schemas.openAgain());
        Pool one = open(on(first.store()).register(ECHO, (text, job) -> text));
        Pool other = open(on(second.store()).register(ECHO, (text, job) -> text));
        List<String> names = List.of(one.admin().nodeId(), other.admin().nodeId());
        schemas.makeAllNodesSteady();
        for (StoreFaults faults : List.of(first, second)) {
            faults.fail("renew");
            // No renewal is under way any more.
            Awaitility.await().atMost(LONG).until(() -> faults.failedCalls() > 0);
            faults.fail("apply", "claim", "recover");
        }
        schemas.change("UPDATE heddle.node SET lease_until = '-infinity'");

        first.heal();
        // At each renewal it could declare the other node dead, if it did not have to wait.
        awaitRenewals(one, 3);
        second.heal();
        awaitRenewals(other, 3);

        assertThat(List.of(one.admin().nodeId(), other.admin().nodeId())).isEqualTo(names);
        assertThat(one.admin().nodes()).extracting(NodeRecord::id).containsExactlyInAnyOrderElementsOf(names);
        assertThat(one.submit(ECHO, "fine").await(LONG)).isEqualTo("fine");
    }

    @Test
    void cancelsWhatAnotherNodeRuns() throws Exception {
        CompletableFuture<String> reason = new CompletableFuture<>();
        open(node().renewEvery(Duration.ofMinutes(1)).lease(Duration.ofMinutes(3)).register(ECHO, (text, job) -> {
            job.cancellation().onCancel(() -> reason.complete(job.cancellation().reason().orElseThrow()));
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
    void cancelsWhatAnotherNodeRunsAtItsNextRenewalIfAnnouncementsAreLost() throws Exception {
        CompletableFuture<String> reason = new CompletableFuture<>();
        open(on(TamperedNotifications.deafStore(schemas)).register(ECHO, (text, job) -> {
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
    void letsALongJobOfALiveNodeRunForSeveralLeases() throws Exception {
        Duration lease = Duration.ofSeconds(5);
        Pool busy = open(node().lease(lease).register(ECHO, (text, job) -> {
            job.sleep(lease.multipliedBy(2));
            return text;
        }));
        JobHandle<String> handle = busy.submit(ECHO, "done in one go");
        awaitState(busy, handle, JobState.RUNNING);
        open(node().register(ECHO, (text, job) -> "rescued"));
        schemas.makeAllNodesSteady();

        assertThat(handle.await(LONG)).isEqualTo("done in one go");
        assertThat(story(busy, handle).attempts()).hasSize(1);
    }

    @Test
    void completesAWaiterWhenAnotherNodeEndsTheJob() throws Exception {
        Pool submitter = open(node());
        JobHandle<String> handle = submitter.submit(ECHO, "across");
        CompletableFuture<Job> early = handle.completion();
        open(node().register(ECHO, (text, job) -> text));

        assertThat(handle.await(LONG)).isEqualTo("across");
        assertThat(early).succeedsWithin(LONG);
    }

    @Test
    void leavesAtOnceWhenItCloses() {
        Pool first = open(node());
        Pool second = open(node());
        assertThat(first.admin().nodes()).hasSize(2);

        second.close();

        assertThat(first.admin().nodes()).extracting(NodeRecord::id).containsExactly(first.admin().nodeId());
    }
}
