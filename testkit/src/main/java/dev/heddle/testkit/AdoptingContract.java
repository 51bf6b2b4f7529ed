package dev.heddle.testkit;

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
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Custodian;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.AdoptionStore;
import dev.heddle.store.AdoptionStore.Reservation;
import dev.heddle.store.Fence;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/** Work that goes on when its node ends, and who sees to it then. */
abstract class AdoptingContract extends PoolFixture {

    private static final String BOOT = "boot-1";

    /** What the handlers saw: the text of the note and the number of the attempt. */
    private final List<String> started = new CopyOnWriteArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final Semaphore mayEnd = new Semaphore(0);
    private final Machine machine = new Machine(BOOT);

    AdoptingContract(PoolContract door) {
        super(door);
    }

    /** A machine on which everything that is asked for can be found, unless said otherwise. */
    private static final class Machine implements Custodian {
        private final String boot;
        private final Map<JobId, Trace> traces = new ConcurrentHashMap<>();

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
        public Trace trace(JobId job, int attempt) {
            return traces.getOrDefault(job, Trace.WORK);
        }
    }

    private JobHandler<Note, String> handler() {
        return (note, job) -> {
            if (!note.text().startsWith("new")) {
                job.outliveNode();
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

    /** Looks often for what goes on by itself, and does not lose touch with what it has where the machine is busy. */
    private PoolBuilder on(Store store, Custodian custodian) {
        return quick(Pool.on(store)).clock(clock).workers(2).custodian(custodian).lease(LONG)
                .renewEvery(Duration.ofMillis(300));
    }

    /** The same, and soon old enough to say who is dead. */
    private PoolBuilder burying(Store store, Custodian custodian) {
        return on(store, custodian).lease(Duration.ofMillis(1_500));
    }

    /** What a node left that died with these at work, each of which goes on, and with others to come. */
    private List<JobId> left(Store store, int count, int queued) {
        Wreck wreck = new Wreck(store, NOTE.name(), clock.instant());
        List<JobId> jobs = wreck.running(count);
        for (JobId id : jobs) {
            Job job = store.find(id).orElseThrow();
            Fence fence = new Fence(job.seq(), job.counts().attempt(), Wreck.NODE);
            assertThat(((AdoptionStore) store).reserve(fence,
                    new Reservation("loom", BOOT, clock.instant().plus(Duration.ofMinutes(11))))).isTrue();
        }
        wreck.queued(queued);
        return jobs;
    }

    private Story story(JobId id) {
        return pool().story(id).orElseThrow();
    }

    /** All of them, each in a worker's place, and nothing new before the last of them has one. */
    @Test
    void isTakenUpAtOnceInTheOrderOfItsJobsAndBeforeAllElse() {
        Store store = newStore();
        List<JobId> jobs = left(store, 3, 2);

        open(on(store, machine).handle(NOTE, handler()));

        await().until(() -> started.size() == 2);
        assertThat(jobs).allSatisfy(id -> {
            assertThat(pool().find(id).orElseThrow().state()).isEqualTo(JobState.RUNNING);
            assertThat(pool().find(id).orElseThrow().status().node()).isEqualTo(pool().nodeId());
        });
        mayEnd.release(1);
        await().until(() -> started.size() == 3);
        assertThat(started).containsExactlyInAnyOrder("1/1", "2/1", "3/1");
        mayEnd.release(4);
        await().until(() -> pool().list(JobQuery.all().states(JobState.COMPLETED)).size() == 5);
        assertThat(most).hasValue(2);
        assertThat(jobs).allSatisfy(id -> {
            assertThat(story(id).attempts()).extracting(Attempt::number).containsExactly(1);
            assertThat(story(id).history()).isEmpty();
            assertThat(story(id).job().counts().crashes()).isZero();
        });
        assertThat(pool().opening().found()).isZero();
    }

    /** A handler that goes on may take as long as it always could; one whose time is over may say how it ended. */
    @Test
    void hasTheDeadlineOfItsAttempt() {
        Store store = newStore();
        JobId id = left(store, 1, 0).getFirst();
        List<Instant> deadlines = new CopyOnWriteArrayList<>();
        Instant begun = clock.instant();
        clock.advance(Duration.ofMinutes(4));

        open(on(store, machine).handle(NOTE.timeout(Duration.ofMinutes(10)), (_, job) -> {
            deadlines.add(job.deadline());
            return "done";
        }));

        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(deadlines).containsExactly(begun.plus(Duration.ofMinutes(10)));
        Attempt attempt = story(id).attempts().getFirst();
        assertThat(attempt.startedAt()).isEqualTo(begun);
    }

    @Test
    void isNobodyElsesUntilAMinuteAfterItsDeadline() {
        Store store = newStore();
        JobId id = left(store, 1, 0).getFirst();
        machine.traces.put(id, Custodian.Trace.NONE);
        open(burying(store, machine).handle(NOTE, handler()));
        mayEnd.release(10);
        JobId other = submit("new").id();
        await().until(() -> state(other) == JobState.COMPLETED);
        if (isShared()) {
            await().until(() -> pool().nodes().size() == 1);
        }

        clock.advance(Duration.ofMinutes(11).minusMillis(1));
        JobId later = submit("new").id();
        await().until(() -> state(later) == JobState.COMPLETED);
        assertThat(state(id)).isEqualTo(JobState.RUNNING);

        clock.advance(Duration.ofMillis(1));
        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(started).doesNotContain("1/1");
        assertThat(story(id).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.CRASHED,
                Attempt.End.COMPLETED);
    }

    /** No work outlives the run of its machine, so nobody waits for it. */
    @Test
    void isRunAgainAtOnceWhereTheMachineWasStartedAnew() {
        Store store = newStore();
        JobId id = left(store, 1, 0).getFirst();
        mayEnd.release(1);
        open(burying(store, new Machine("boot-2")).handle(NOTE, handler()));
        await().until(() -> state(id) == JobState.COMPLETED);
        assertRanAgain(id);
    }

    @Test
    void isRunAgainAtOnceWhereItNeverBegan() {
        Store store = newStore();
        JobId id = left(store, 1, 0).getFirst();
        machine.traces.put(id, Custodian.Trace.REMAINS);
        mayEnd.release(1);
        open(burying(store, machine).handle(NOTE, handler()));
        await().until(() -> state(id) == JobState.COMPLETED);
        assertRanAgain(id);
    }

    /** A claim may have been handed back before, and used a number up. */
    private void assertRanAgain(JobId id) {
        assertThat(started).hasSize(1).doesNotContain("1/1");
        assertThat(story(id).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.CRASHED,
                Attempt.End.COMPLETED);
    }

    @Test
    void comesBeforeNewWorkOfATypeThatComesLate() {
        Store store = newStore();
        left(store, 2, 2);
        open(on(store, machine));

        pool().handle(NOTE, handler());

        await().until(() -> started.size() == 2);
        assertThat(started).containsExactlyInAnyOrder("1/1", "2/1");
        mayEnd.release(4);
        await().until(() -> pool().list(JobQuery.all().states(JobState.COMPLETED)).size() == 4);
        assertThat(most).hasValue(2);
    }

    /** A worker that is stopped lets go of it; another one takes it up. */
    @Test
    void isTakenUpByAnotherWorkerWhereItsOwnIsStopped() {
        Store store = newStore();
        open(on(store, machine).handle(NOTE, handler()));
        JobId id = submit("long").id();
        await().until(() -> started.size() == 1);
        String worker = pool().workers().stream().filter(one -> id.equals(one.job())).findFirst()
                .orElseThrow().id();

        pool().stopWorker(worker);

        await().until(() -> started.size() == 2);
        assertThat(started).containsExactly("long/1", "long/1");
        mayEnd.release(1);
        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(story(id).attempts()).extracting(Attempt::number).containsExactly(1);
    }

    @Test
    void isLeftAloneByClosing() {
        Store store = newStore();
        Pool closing = open(on(store, machine).handle(NOTE, handler()));
        JobId id = submit("long").id();
        await().until(() -> started.size() == 1);
        String node = closing.nodeId();

        closing.close();

        assertThat(closing.closing().orElseThrow().left()).isEqualTo(1);
        assertThat(closing.closing().orElseThrow().summary()).contains("1 left to go on, 0 abandoned");
        Store again = openAgain();
        if (again.find(id).isEmpty()) {
            // This store keeps nothing.
            again.close();
            return;
        }
        Job held = again.find(id).orElseThrow();
        assertThat(held.state()).isEqualTo(JobState.RUNNING);
        assertThat(held.status().node()).isEqualTo(node);
        open(on(again, machine).handle(NOTE, handler()));
        mayEnd.release(1);
        await().until(() -> state(id) == JobState.COMPLETED);
        assertThat(started).containsExactly("long/1", "long/1");
        assertThat(story(id).attempts()).extracting(Attempt::number, Attempt::end)
                .containsExactly(tuple(1, Attempt.End.COMPLETED));
    }

    @Test
    void endsWithItsJobThoughItsNodeWasClosed() {
        Store store = newStore();
        JobId id = left(store, 1, 0).getFirst();
        machine.traces.put(id, Custodian.Trace.NONE);
        open(burying(store, machine).handle(NOTE, handler()));
        pool().cancel(id, "not needed");
        await().until(() -> story(id).job().status().endedAt() != null);
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(started).isEmpty();
    }

    @Test
    void endsWithItsJobThoughItWaitsForAWorker() {
        Store store = newStore();
        List<JobId> jobs = left(store, 3, 0);
        open(on(store, machine).handle(NOTE, handler()));
        await().until(() -> started.size() == 2);
        JobId waiting = jobs.stream()
                .filter(id -> pool().workers().stream().noneMatch(one -> id.equals(one.job())))
                .findFirst().orElseThrow();

        pool().cancel(waiting, "not needed");

        await().until(() -> story(waiting).job().status().endedAt() != null);
        mayEnd.release(2);
        await().until(() -> pool().list(JobQuery.all().states(JobState.COMPLETED)).size() == 2);
        assertThat(started).hasSize(2);
    }

    @Test
    void endsWithItsJobThoughNobodySeesToIt() {
        Store store = newStore();
        open(on(store, machine).handle(NOTE, handler()));
        JobId id = submit("long").id();
        await().until(() -> started.size() == 1);
        machine.traces.put(id, Custodian.Trace.NONE);
        pool().stopWorker(pool().workers().stream().filter(one -> id.equals(one.job())).findFirst()
                .orElseThrow().id());
        await().until(() -> running.get() == 0 && pool().stats().active() == 0);

        pool().cancel(id, "not needed");

        await().until(() -> story(id).job().status().endedAt() != null);
        assertThat(state(id)).isEqualTo(JobState.CANCELLED);
        assertThat(started).hasSize(1);
    }

    @Test
    void needsACustodian() {
        open(builder().handle(NOTE, (_, job) -> {
            try {
                job.outliveNode();
            } catch (IllegalStateException e) {
                throw new JobCancelledException(String.valueOf(e.getMessage()));
            }
            return "";
        }));
        JobId id = submit("long").id();
        await().until(() -> state(id) == JobState.FAILED);
        assertThat(pool().find(id).orElseThrow().failure().orElseThrow().message())
                .contains("nothing outlives this node: its pool has no custodian");
    }
}
