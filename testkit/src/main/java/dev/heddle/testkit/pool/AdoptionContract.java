package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.DetachedWork;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.Fence;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.StoreCapabilities;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Attempts whose work outlives its node, and how a node takes them over. */
abstract class AdoptionContract extends PoolFixture {

    private static final String BOOT = "boot-1";

    /** One entry per handler call: the text of the note and the number of the attempt. */
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Semaphore mayEnd = new Semaphore(0);
    private final Machine machine = new Machine(BOOT);

    AdoptionContract(PoolContract contract) {
        super(contract);
    }

    /** A machine on which the work of every attempt still runs, unless a test says otherwise. */
    private static final class Machine implements DetachedWork {
        private final String boot;
        private final Map<JobId, Status> traces = new ConcurrentHashMap<>();

        Machine(String boot) {
            this.boot = boot;
        }

        @Override
        public String machine() {
            return "loom";
        }

        @Override
        public String boot() {
            return boot;
        }

        @Override
        public Status status(JobId job, int attempt) {
            return traces.getOrDefault(job, Status.ADOPTABLE);
        }
    }

    private JobHandler<Note, String> handler() {
        return (note, job) -> {
            if (!note.text().startsWith("new")) {
                job.detachFromNode();
            }
            started.add(note.text() + "/" + job.attempt());
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            try {
                while (!mayEnd.tryAcquire()) {
                    job.sleep(Duration.ofMillis(5));
                }
                return "done";
            } finally {
                running.decrementAndGet();
            }
        };
    }

    /** Renews often, which includes the search for work to adopt; the long lease survives a busy machine. */
    private PoolBuilder on(Store store, DetachedWork custodian) {
        return steered(quick(Pool.on(store))).workers(2).detachedWork(custodian).lease(LONG)
                .renewEvery(Duration.ofMillis(300));
    }

    /** Has a short lease, and therefore soon declares other nodes dead. */
    private PoolBuilder withShortLease(Store store, DetachedWork custodian) {
        return on(store, custodian).lease(Duration.ofMillis(1_500));
    }

    /**
     * Simulates a node that died while it ran {@code count} jobs whose work goes on, and leaves {@code queued} more.
     */
    private List<JobId> crash(Store store, int count, int queued) {
        steer(store);
        CrashedNode node = new CrashedNode(store, NOTE.name(), clock.instant());
        List<JobId> jobs = node.running(count);
        for (JobId id : jobs) {
            Job job = store.find(id).orElseThrow();
            Fence fence = new Fence(job.seq(), job.counts().attempt(), CrashedNode.NODE);
            assertThat(StoreCapabilities.require(store, AdoptionStore.class).reserve(fence,
                    new Reservation("loom", BOOT, Duration.ofMinutes(11)))).isTrue();
        }
        node.queued(queued);
        return jobs;
    }

    private JobDetails story(JobId id) {
        return pool().admin().details(id).orElseThrow();
    }

    /** Adopted work counts against the number of workers, and no new job starts before the last of it has a worker. */
    @Test
    void adoptsRunningWorkInOrderBeforeAnyNewJob() {
        Store store = newStoreWith(AdoptionStore.class);
        List<JobId> jobs = crash(store, 3, 2);

        open(on(store, machine).register(NOTE, handler()));

        await().until(() -> started.size() == 2);
        assertThat(jobs).allSatisfy(id -> {
            assertThat(pool().find(id).orElseThrow().state()).isEqualTo(JobState.RUNNING);
            assertThat(pool().find(id).orElseThrow().status().node()).isEqualTo(pool().admin().nodeId());
        });
        mayEnd.release(1);
        await().until(() -> started.size() == 3);
        assertThat(started).containsExactlyInAnyOrder("1/1", "2/1", "3/1");
        mayEnd.release(4);
        await().until(() -> pool().admin().list(JobQuery.all().states(JobState.COMPLETED)).size() == 5);
        assertThat(most).hasValue(2);
        assertThat(jobs).allSatisfy(id -> {
            assertThat(story(id).attempts()).extracting(Attempt::number).containsExactly(1);
            assertThat(story(id).history()).isEmpty();
            assertThat(story(id).job().counts().crashes()).isZero();
        });
        assertThat(pool().recoveryReport().found()).isZero();
    }

    /** The deadline counts from the original start, not from the adoption. */
    @Test
    void keepsTheDeadlineOfTheAttempt() {
        Store store = newStoreWith(AdoptionStore.class);
        JobId id = crash(store, 1, 0).getFirst();
        List<Instant> deadlines = new CopyOnWriteArrayList<>();
        Instant begun = clock.instant();
        clock.advance(Duration.ofMinutes(4));

        open(on(store, machine).register(NOTE.timeout(Duration.ofMinutes(10)), (_, job) -> {
            deadlines.add(job.deadline());
            return "done";
        }));

        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(deadlines).containsExactly(begun.plus(Duration.ofMinutes(10)));
        Attempt attempt = story(id).attempts().getFirst();
        assertThat(attempt.startedAt()).isEqualTo(begun);
    }

    @Test
    void staysReservedUntilAMinuteAfterItsDeadline() {
        Store store = newStoreWith(AdoptionStore.class);
        JobId id = crash(store, 1, 0).getFirst();
        machine.traces.put(id, DetachedWork.Status.UNKNOWN);
        open(withShortLease(store, machine).register(NOTE, handler()));
        mayEnd.release(10);
        JobId other = submit("new").id();
        await().until(() -> state(other) == JobState.COMPLETED);
        if (isShared()) {
            await().until(() -> pool().admin().nodes().size() == 1);
        }

        clock.advance(Duration.ofMinutes(11).minusMillis(1));
        JobId later = submit("new").id();
        await().until(() -> state(later) == JobState.COMPLETED);
        assertThat(state(id)).isEqualTo(JobState.RUNNING);

        clock.advance(Duration.ofMillis(1));
        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(started).doesNotContain("1/1");
        assertThat(story(id).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED,
                Attempt.End.COMPLETED);
    }

    /** No process survives a reboot, so the node does not wait for one. */
    @Test
    void rerunsAtOnceIfTheMachineWasRebooted() {
        Store store = newStoreWith(AdoptionStore.class);
        JobId id = crash(store, 1, 0).getFirst();
        mayEnd.release(1);
        open(withShortLease(store, new Machine("boot-2")).register(NOTE, handler()));
        await().until(() -> state(id) == JobState.COMPLETED);
        assertRanAgain(id);
    }

    @Test
    void rerunsAtOnceIfTheWorkNeverStarted() {
        Store store = newStoreWith(AdoptionStore.class);
        JobId id = crash(store, 1, 0).getFirst();
        machine.traces.put(id, DetachedWork.Status.GONE);
        mayEnd.release(1);
        open(withShortLease(store, machine).register(NOTE, handler()));
        await().until(() -> state(id) == JobState.COMPLETED);
        assertRanAgain(id);
    }

    /** A released claim may have used up an attempt number, so only the first number is excluded. */
    private void assertRanAgain(JobId id) {
        assertThat(started).hasSize(1).doesNotContain("1/1");
        assertThat(story(id).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED,
                Attempt.End.COMPLETED);
    }

    @Test
    void adoptsBeforeNewJobsIfTheTypeIsRegisteredLate() {
        Store store = newStoreWith(AdoptionStore.class);
        crash(store, 2, 2);
        open(on(store, machine));

        pool().register(NOTE, handler());

        await().until(() -> started.size() == 2);
        assertThat(started).containsExactlyInAnyOrder("1/1", "2/1");
        mayEnd.release(4);
        await().until(() -> pool().admin().list(JobQuery.all().states(JobState.COMPLETED)).size() == 4);
        assertThat(most).hasValue(2);
    }

    /** A worker that is stopped gives up the attempt, and another worker continues it. */
    @Test
    void movesToAnotherWorkerIfItsWorkerIsStopped() {
        Store store = newStoreWith(AdoptionStore.class);
        open(on(store, machine).register(NOTE, handler()));
        JobId id = submit("long").id();
        await().until(() -> started.size() == 1);
        String worker = pool().admin().workers().stream().filter(one -> id.equals(one.job())).findFirst().orElseThrow()
                .id();

        pool().admin().stopWorker(worker);

        await().until(() -> started.size() == 2);
        assertThat(started).containsExactly("long/1", "long/1");
        mayEnd.release(1);
        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(story(id).attempts()).extracting(Attempt::number).containsExactly(1);
    }

    @Test
    void keepsRunningWhenTheNodeCloses() {
        Store store = newStoreWith(AdoptionStore.class);
        Pool closing = open(on(store, machine).register(NOTE, handler()));
        JobId id = submit("long").id();
        await().until(() -> started.size() == 1);
        String node = closing.admin().nodeId();

        closing.close();

        assertThat(closing.closingReport().orElseThrow().detached()).isEqualTo(1);
        assertThat(closing.closingReport().orElseThrow().summary()).contains("1 left running, 0 abandoned");
        Store again = openAgain();
        Job held = again.find(id).orElseThrow();
        assertThat(held.state()).isEqualTo(JobState.RUNNING);
        assertThat(held.status().node()).isEqualTo(node);
        open(on(again, machine).register(NOTE, handler()));
        mayEnd.release(1);
        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(started).containsExactly("long/1", "long/1");
        assertThat(story(id).attempts()).extracting(Attempt::number, Attempt::end)
                .containsExactly(tuple(1, Attempt.End.COMPLETED));
    }

    /** The node lives on, so nobody recovers the attempt in its place. */
    @Test
    void runsAgainIfTheWorkThatItsNodeDetachedIsGone() {
        Store store = newStoreWith(AdoptionStore.class);
        open(on(store, machine).register(NOTE, handler()));
        JobId id = submit("long").id();
        await().until(() -> started.size() == 1);
        machine.traces.put(id, DetachedWork.Status.GONE);
        String worker = pool().admin().workers().stream().filter(each -> each.job() != null).findFirst().orElseThrow()
                .id();

        pool().admin().stopWorker(worker);

        mayEnd.release(1);
        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(story(id).attempts()).extracting(Attempt::number, Attempt::end)
                .containsExactly(tuple(1, Attempt.End.FAILED), tuple(2, Attempt.End.COMPLETED));
    }

    @Test
    void stopsIfItsJobIsCancelledAfterTheNodeClosed() {
        Store store = newStoreWith(AdoptionStore.class);
        JobId id = crash(store, 1, 0).getFirst();
        machine.traces.put(id, DetachedWork.Status.UNKNOWN);
        open(withShortLease(store, machine).register(NOTE, handler()));
        pool().admin().cancel(id, "not needed");
        await().until(() -> story(id).job().status().endedAt() != null);
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(started).isEmpty();
    }

    @Test
    void stopsIfItsJobIsCancelledWhileItWaitsForAWorker() {
        Store store = newStoreWith(AdoptionStore.class);
        List<JobId> jobs = crash(store, 3, 0);
        open(on(store, machine).register(NOTE, handler()));
        await().until(() -> started.size() == 2);
        JobId waiting = jobs.stream()
                .filter(id -> pool().admin().workers().stream().noneMatch(one -> id.equals(one.job()))).findFirst()
                .orElseThrow();

        pool().admin().cancel(waiting, "not needed");

        await().until(() -> story(waiting).job().status().endedAt() != null);
        mayEnd.release(2);
        await().until(() -> pool().admin().list(JobQuery.all().states(JobState.COMPLETED)).size() == 2);
        assertThat(started).hasSize(2);
    }

    @Test
    void stopsIfItsJobIsCancelledWhileNoWorkerRunsIt() {
        Store store = newStoreWith(AdoptionStore.class);
        open(on(store, machine).register(NOTE, handler()));
        JobId id = submit("long").id();
        await().until(() -> started.size() == 1);
        machine.traces.put(id, DetachedWork.Status.UNKNOWN);
        pool().admin().stopWorker(
                pool().admin().workers().stream().filter(one -> id.equals(one.job())).findFirst().orElseThrow().id());
        await().until(() -> running.get() == 0 && pool().stats().active() == 0);

        pool().admin().cancel(id, "not needed");

        await().until(() -> story(id).job().status().endedAt() != null);
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(started).hasSize(1);
    }

    @Test
    void requiresACustodian() {
        open(quick(Pool.on(newStoreWith(AdoptionStore.class))).register(NOTE, (_, job) -> {
            try {
                job.detachFromNode();
            } catch (IllegalStateException e) {
                throw JobException.permanent(String.valueOf(e.getMessage()));
            }
            return "";
        }));
        JobId id = submit("long").id();
        await().until(() -> state(id) == JobState.FAILED);
        assertThat(pool().find(id).orElseThrow().failure().orElseThrow().message())
                .contains("this pool cannot detach work: it has no detachedWork");
    }
}
