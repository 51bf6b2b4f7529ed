package dev.heddle.testkit.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.RecoveryReport;
import dev.heddle.pool.Staging;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.Store;
import dev.heddle.store.Submission;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.JobDraft;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

/**
 * Recovery when a pool opens a store that a crashed node left: it happens once, before new work, and in stages. If
 * nodes share the store, the new node recovers a little later, when the lease of the dead one has ended.
 */
abstract class StartupRecoveryContract extends PoolFixture {

    private final List<String> started = new CopyOnWriteArrayList<>();
    private final Instant opened = clock.instant();

    StartupRecoveryContract(PoolContract contract) {
        super(contract);
    }

    private CrashedNode crashedNode(Store store) {
        return new CrashedNode(store, NOTE.name(), opened);
    }

    private PoolBuilder recordingStarts(Store store) {
        return on(store).register(NOTE, (note, job) -> {
            started.add(note.text());
            return "";
        });
    }

    private void openAndRecover(PoolBuilder builder) {
        open(builder);
        await().until(() -> logged().stream().anyMatch(line -> line.startsWith("Recovered ")));
    }

    private void awaitStarts(int count) {
        await().until(() -> started.size() >= count);
        assertThat(started).hasSize(count);
    }

    /** Bypasses the pool, which is not notified. */
    private static void insert(Store store, JobDraft draft) {
        store.insert(List.of(new Submission(List.of(draft.job()))));
    }

    private List<Job> in(JobState state) {
        return pool().admin().list(JobQuery.all().states(state).limit(1_000));
    }

    @Test
    void startsTheFirstAtOnceAndTheNextNineOnePerSecond() {
        Store store = newStore();
        crashedNode(store).running(12);

        openAndRecover(recordingStarts(store));

        awaitStarts(1);
        for (int second = 1; second <= 9; second++) {
            clock.advance(Duration.ofSeconds(1));
            awaitStarts(second + 1);
        }
        clock.advance(Duration.ofMillis(999));
        clock.advance(Duration.ofMillis(1));
        awaitStarts(11);
        clock.advance(Duration.ofMinutes(15));
        awaitStarts(12);
        assertThat(started).containsExactly("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12");
    }

    @Test
    void spreadsTheRestEvenlyOverFifteenMinutes() {
        Store store = newStore();
        crashedNode(store).running(40);

        openAndRecover(recordingStarts(store));

        awaitStarts(1);
        clock.advance(Duration.ofSeconds(9));
        awaitStarts(10);
        for (long at = 30; at <= 900; at += 30) {
            clock.advance(Duration.ofSeconds(at == 30 ? 21 : 30));
            long now = at;
            LongPredicate due = slow -> 10_000 + 890_000 * slow / 30 <= now * 1_000;
            awaitStarts(10 + (int) LongStream.range(0, 30).filter(due).count());
        }
        await().until(() -> in(JobState.COMPLETED).size() == 40);
        assertThat(in(JobState.COMPLETED)).as("each job ran once more")
                .allSatisfy(job -> assertThat(pool().admin().details(job.id()).orElseThrow().attempts())
                        .extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED, Attempt.End.COMPLETED));
    }

    @Test
    void storesTheScheduleAndItsReason() {
        Store store = newStore();
        List<JobId> ran = crashedNode(store).running(3);

        openAndRecover(on(store));

        assertThat(in(JobState.QUEUED)).extracting(Job::id).containsExactly(ran.getFirst());
        assertThat(in(JobState.SCHEDULED)).extracting(job -> job.dueAt().orElseThrow())
                .containsExactly(opened.plusSeconds(2), opened.plusSeconds(1));
        JobDetails story = pool().admin().details(ran.get(1)).orElseThrow();
        assertThat(story.history()).containsExactly(new HistoryEntry(JobState.RUNNING, JobState.SCHEDULED,
                "node died; starts again as number 2 of 3", pool().admin().nodeId(), opened));
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED);
        assertThat(story.job().counts()).as("a crash of the node is no failure of the job")
                .isEqualTo(new Job.Counts(1, 0, 0));
    }

    @Test
    void acceptsAnotherSchedule() {
        Store store = newStore();
        crashedNode(store).running(6);

        openAndRecover(on(store).staging(new Staging(2, 2, Duration.ofSeconds(10), Duration.ofSeconds(50))));

        assertThat(in(JobState.QUEUED)).hasSize(2);
        assertThat(in(JobState.SCHEDULED)).extracting(job -> job.dueAt().orElseThrow()).containsExactly(
                opened.plusSeconds(40), opened.plusSeconds(30), opened.plusSeconds(20), opened.plusSeconds(10));
    }

    @Test
    void startsJobsWithACheckpointFirst() {
        Store store = newStore();
        CrashedNode crashed = crashedNode(store);
        crashed.running(3);
        crashed.checkpointed(2, StartGuarantee.NONE);

        openAndRecover(recordingStarts(store));
        awaitStarts(1);
        for (int second = 1; second < 5; second++) {
            clock.advance(Duration.ofSeconds(1));
            awaitStarts(second + 1);
        }

        assertThat(started).containsExactly("4", "5", "1", "2", "3");
    }

    @Test
    void requeuesJobsThatHadNotStarted() {
        Store store = newStore();
        crashedNode(store).assigned(20);

        openAndRecover(recordingStarts(store));

        awaitStarts(20);
    }

    @Test
    void recoversBeforeItClaimsNewJobs() throws Exception {
        assumeFalse(isShared(), "on a shared store a new node works while it waits for the old one's lease to end");
        Store store = newStore();
        CrashedNode crashed = crashedNode(store);
        JobId orphan = crashed.running(1).getFirst();
        insert(store, JobDraft.of("new").payload("{\"text\": \"new\"}"));
        CompletableFuture<JobState> seen = new CompletableFuture<>();
        CompletableFuture<Pool> opening = new CompletableFuture<>();

        open(on(store).register(JobType.of("new", Note.class, String.class), (note, job) -> {
            seen.complete(opening.join().find(orphan).orElseThrow().state());
            return "";
        }));
        opening.complete(pool());

        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo(JobState.QUEUED);
        assertThat(pool().recoveryReport().found()).isEqualTo(1);
    }

    @Test
    void stagesOrphansOnlyOnce() {
        Store store = newStore();
        List<JobId> ran = crashedNode(store).running(20);
        openAndRecover(on(store));
        List<JobDetails> before = ran.stream().map(id -> pool().admin().details(id).orElseThrow()).toList();
        pool().close();
        clock.advance(Duration.ofSeconds(30));

        open(on(openAgain()));
        assertThat(pool().recoveryReport().found()).isZero();
        assertThat(ran).extracting(id -> pool().admin().details(id).orElseThrow()).isEqualTo(before);
    }

    @Test
    void deadLettersJobsThatMustNotRunAgainAndReportsEverything() {
        Store store = newStore();
        CrashedNode crashed = crashedNode(store);
        crashed.assigned(2);
        crashed.running(11);
        crashed.checkpointed(1, StartGuarantee.AT_MOST_ONCE);
        JobId once = crashed.running(1, StartGuarantee.AT_MOST_ONCE).getFirst();

        openAndRecover(on(store));

        assertThat(pool().find(once).orElseThrow().reason().orElseThrow()).startsWith("orphaned: ");
        assertThat(logged()).contains("Recovered 15 jobs of dead nodes (1 with a checkpoint): "
                + "2 back in the queue, 1 at once, 9 warm, 2 slow, 1 dead-lettered");
        assertThat(in(JobState.SCHEDULED)).hasSize(11);
        assertThat(in(JobState.QUEUED)).hasSize(3);
        if (!isShared()) {
            assertThat(pool().recoveryReport()).isEqualTo(new RecoveryReport(15, 1, 2, 1, 9, 2, 1));
        }
    }

    @Test
    void deadLettersAJobThatCrashedTooManyNodes() {
        Store store = newStore();
        JobId guilty = crashedNode(store).runningSuspects(1).getFirst();

        openAndRecover(on(store).maxCrashes(1));

        Job job = pool().find(guilty).orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.reason()).contains("poison: it crashed its node once");
        assertThat(job.counts()).isEqualTo(new Job.Counts(2, 0, 1));
    }

    @Test
    void reportsNothingIfNoNodeDied() {
        open(on(newStore()));

        assertThat(pool().recoveryReport()).isEqualTo(new RecoveryReport(0, 0, 0, 0, 0, 0, 0));
        assertThat(logged()).noneMatch(line -> line.startsWith("Recovered"));
    }

    /** Polling is the safety net for a lost notification. */
    @Test
    void findsUnannouncedJobsByPolling() {
        Store store = newStore();
        open(recordingStarts(store).pollEvery(Duration.ofSeconds(7)));
        submit("announced").completion().join();
        insert(store, JobDraft.of(NOTE.name()).payload("{\"text\": \"unannounced\"}"));

        clock.advance(Duration.ofSeconds(7));

        awaitStarts(2);
    }

    @Test
    void wakesUpImmediatelyIfPollingIsDisabled() {
        open(recordingStarts(newStore()).pollEvery(Duration.ZERO));

        submit("one").completion().join();
        submit("two").completion().join();

        assertThat(started).containsExactly("one", "two");
    }

    /** Two pools would take each other's notifications, and each would close the store of the other. */
    @Test
    void refusesAStoreThatAnotherPoolUses() {
        Store store = newStore();
        open(recordingStarts(store));

        assertThatThrownBy(() -> on(store).open()).isInstanceOf(IllegalStateException.class).hasMessage(
                store.getClass().getSimpleName() + " already has an open pool; use that pool, or open another store");

        submit("the first goes on").completion().join();
        assertThat(started).containsExactly("the first goes on");
    }
}
