package dev.heddle.engine.session;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.heddle.engine.testing.ManualClock;
import dev.heddle.engine.testing.Samples;
import dev.heddle.env.Environment;
import dev.heddle.job.Affinity;
import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.ClaimRequest.Wanted;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.SessionStore;
import dev.heddle.worker.Worker;
import dev.heddle.worker.WorkerEvent;
import dev.heddle.worker.WorkerEvent.Routed.Result;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Offers claims of a real store to two workers, which are fakes that only collect them. */
class SessionQueuesTest {

    private final ManualClock clock = new ManualClock();
    private final MemoryStore store = new MemoryStore();
    private final Waiting waiting = new Waiting();
    private final Group group = new Group();

    /** The claims that wait, by worker, or by {@link #ANY}. Workers are idle unless a test says otherwise. */
    private static final class Waiting implements WaitingClaims {
        static final String ANY = "";
        final Map<String, Worker> workers = new LinkedHashMap<>();
        final Map<String, List<Claim>> claims = new LinkedHashMap<>();
        final List<String> busy = new ArrayList<>();

        List<Claim> of(String worker) {
            return claims.computeIfAbsent(worker, _ -> new ArrayList<>());
        }

        @Override
        public void add(List<Claim> added) {
            of(ANY).addAll(added);
        }

        @Override
        public boolean addFor(String workerId, Claim claim, int max) {
            int size = of(workerId).size();
            boolean fits = size < max || (size == 0 && isAvailable(workerId));
            return fits && of(workerId).add(claim);
        }

        @Override
        public Optional<Claim> remove(Fence fence) {
            return remove(claim -> claim.fence().equals(fence)).stream().findFirst();
        }

        @Override
        public List<Claim> remove(Predicate<Claim> which) {
            List<Claim> removed = claims.values().stream().flatMap(List::stream).filter(which).toList();
            claims.values().forEach(list -> list.removeAll(removed));
            return removed;
        }

        @Override
        public Map<String, Integer> waitingCounts() {
            Map<String, Integer> counts = new LinkedHashMap<>();
            workers.keySet().forEach(worker -> counts.put(worker, of(worker).size()));
            return counts;
        }

        @Override
        public @Nullable Worker find(String workerId) {
            return workers.get(workerId);
        }

        @Override
        public boolean isAvailable(String workerId) {
            return !busy.contains(workerId);
        }

        @Override
        public SessionCandidates candidates() {
            return new SessionCandidates(List.copyOf(workers.keySet()), Set.of(), Set.copyOf(workers.keySet()));
        }
    }

    /** Collects what the queues do with claims that do not wait. */
    private static final class Group implements SessionWorkers {
        final Map<Claim, String> released = new LinkedHashMap<>();
        final List<Runnable> afterRelease = new ArrayList<>();
        final Map<Claim, String> failed = new LinkedHashMap<>();
        final List<String> endedSessions = new ArrayList<>();
        final List<Result> results = new ArrayList<>();

        @Override
        public String name() {
            return "default";
        }

        @Override
        public void release(Claim claim, String reason, Runnable then) {
            released.put(claim, reason);
            afterRelease.add(then);
        }

        @Override
        public void fail(Claim claim, JobException cause) {
            failed.put(claim, String.valueOf(cause.getMessage()));
        }

        @Override
        public void sessionEnded(Worker worker, String session, String reason) {
            endedSessions.add(worker.id() + " " + session + " " + reason);
        }

        @Override
        public void publish(WorkerEvent event) {
            if (event instanceof WorkerEvent.Routed routed) {
                results.add(routed.result());
            }
        }
    }

    @BeforeEach
    void open() {
        Samples.join(store, clock.instant());
        Stream.of("w-1", "w-2").forEach(id -> waiting.workers.put(id, Samples.worker(id, clock)));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static JobType<String, Void> type(Affinity affinity) {
        return JobType.of("chat", String.class).affinity(affinity);
    }

    private SessionQueues queues(JobType<?, ?> type) {
        var registry = Samples.registry(Environment.system().withClock(clock), Samples.registration(type));
        return new SessionQueues(group, waiting,
                new SessionTable(store, registry, Environment.system().withClock(clock), () -> Samples.NODE));
    }

    private Claim claim(JobType<String, Void> type, String session) {
        return Samples.storedClaim(store, clock.instant(), type.with("x").session(session), "\"x\"");
    }

    private Claim offer(SessionQueues queues, JobType<String, Void> type, String session) {
        Claim claim = claim(type, session);
        queues.offer(List.of(claim), false);
        return claim;
    }

    @Test
    void queuesTheJobsOfASessionForOneWorker() {
        var type = type(Affinity.STRICT_QUEUE);
        SessionQueues queues = queues(type);

        Claim first = offer(queues, type, "ann");
        Claim second = offer(queues, type, "ann");

        assertThat(waiting.of("w-1")).containsExactly(first, second);
        assertThat(group.results).containsExactly(Result.NEW, Result.HIT);
        assertThat(queues.areInUse()).isTrue();
        assertThat(queues.sessionCount("w-1")).isEqualTo(1);
    }

    @Test
    void parksJobsThatExceedTheQueueOfTheirWorker() {
        var type = type(Affinity.STRICT_QUEUE);
        SessionQueues queues = queues(type);
        IntStream.range(0, SessionQueues.MAX_WAITING).forEach(_ -> offer(queues, type, "ann"));
        assertThat(queues.parkedJobs()).isEmpty();

        Claim last = offer(queues, type, "ann");

        assertThat(group.released).containsOnlyKeys(last);
        waiting.of("w-1").clear();
        assertThat(queues.parkedJobs()).containsExactly(new Wanted(SessionStore.parkedType("chat", "w-1"), false,
                SessionQueues.MAX_WAITING));
        assertThat(queues.parkedJobs()).as("asked for once").isEmpty();
    }

    /** The store does not have a job that is just being parked, so an empty answer says nothing about it. */
    @Test
    void asksAgainForAJobThatWasBeingParkedDuringTheClaim() {
        var type = type(Affinity.STRICT_QUEUE);
        SessionQueues queues = queues(type);
        IntStream.rangeClosed(0, SessionQueues.MAX_WAITING).forEach(_ -> offer(queues, type, "ann"));
        waiting.of("w-1").clear();
        List<Wanted> wanted = queues.parkedJobs();

        queues.nothingParked(wanted);
        assertThat(queues.parkedJobs()).as("while it is being parked").isEqualTo(wanted);

        group.afterRelease.forEach(Runnable::run);
        assertThat(queues.parkedJobs()).as("once it is parked").isEqualTo(wanted);
        queues.nothingParked(wanted);
        assertThat(queues.parkedJobs()).as("after an answer").isEmpty();
    }

    @Test
    void putsNoJobBeforeParkedOnes() {
        var type = type(Affinity.STRICT_QUEUE);
        SessionQueues queues = queues(type);
        IntStream.rangeClosed(0, SessionQueues.MAX_WAITING).forEach(_ -> offer(queues, type, "ann"));
        waiting.of("w-1").removeFirst();

        Claim late = offer(queues, type, "ann");

        assertThat(group.released).as("parked, although there is room").containsKey(late);
    }

    @Test
    void failsAStrictFailJobIfItsWorkerIsBusy() {
        var type = type(Affinity.STRICT_FAIL);
        SessionQueues queues = queues(type);
        offer(queues, type, "ann");

        Claim second = offer(queues, type, "ann");

        assertThat(group.failed.get(second)).startsWith("SessionBusy: session 'ann'");
        assertThat(group.results).containsExactly(Result.NEW, Result.MISS);
    }

    @Test
    void letsAnyWorkerRunAHintedJobIfItsOwnIsBusy() {
        var type = type(Affinity.HINT);
        SessionQueues queues = queues(type);
        offer(queues, type, "ann");

        Claim second = offer(queues, type, "ann");

        assertThat(waiting.of(Waiting.ANY)).containsExactly(second);
    }

    @Test
    void releasesClaimsIfNoWorkerIsThere() {
        var type = type(Affinity.STRICT_QUEUE);
        waiting.workers.clear();

        Claim claim = offer(queues(type), type, "ann");

        assertThat(group.released).containsEntry(claim, "no worker is ready");
    }

    @Test
    void failsJobsThatWaitPastTheirDeadline() {
        var type = type(Affinity.STRICT_QUEUE);
        SessionQueues queues = queues(type);
        Claim first = offer(queues, type, "ann");
        Claim second = claim(type, "ann");
        clock.advance(SessionDeadline.REQUEST);

        queues.failOverdue();
        queues.offer(List.of(second), false);

        assertThat(group.failed).containsOnlyKeys(first, second);
        assertThat(group.failed.get(first)).startsWith("SessionTimeout:");
        assertThat(waiting.of("w-1")).isEmpty();
    }

    @Test
    void failsOrphansOfALostWorkerOnlyIfStrict() {
        var type = type(Affinity.STRICT_QUEUE);
        Claim strict = claim(type, "ann");
        queues(type).orphaned(strict);
        Claim hinted = claim(type, "ann");
        queues(type(Affinity.HINT)).orphaned(hinted);

        assertThat(group.failed).containsOnlyKeys(strict);
        assertThat(group.released).containsOnlyKeys(hinted);
    }

    @Test
    void removesTheClaimsOfADroppedSession() {
        var type = type(Affinity.STRICT_QUEUE);
        var registry = Samples.registry(Environment.system().withClock(clock), Samples.registration(type));
        SessionTable table = new SessionTable(store, registry, Environment.system().withClock(clock),
                () -> Samples.NODE);
        SessionQueues queues = new SessionQueues(group, waiting, table);
        Claim ann = offer(queues, type, "ann");
        Claim bob = offer(queues, type, "bob");

        queues.dropped("ann", table.drop("ann"));

        assertThat(group.failed).containsOnlyKeys(ann);
        assertThat(group.endedSessions).containsExactly("w-1 ann dropped");
        assertThat(waiting.remove(_ -> true)).containsExactly(bob);
    }

    @Test
    void asksForParkedJobsOfAWorkerThatMustNotClaimAheadOnlyIfItIsFree() {
        var type = type(Affinity.STRICT_QUEUE).nonIdempotent();
        SessionQueues queues = queues(type);
        waiting.busy.addAll(List.of("w-1", "w-2"));
        queues.mayBeParked();

        assertThat(queues.parkedJobs()).isEmpty();

        waiting.busy.remove("w-2");
        assertThat(queues.parkedJobs()).containsExactly(new Wanted(SessionStore.parkedType("chat", "w-2"), false, 1));
    }
}
