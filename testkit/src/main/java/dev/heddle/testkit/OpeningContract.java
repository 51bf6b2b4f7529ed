package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
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
import dev.heddle.store.Care;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.store.Story;
import dev.heddle.store.Submission;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Opening on what a dead node left: recovered before new work, once, and staged. Where several nodes share the store, the
 * new one finds the dead one a little later.
 */
abstract class OpeningContract extends PoolFixture {

    private final List<String> started = new CopyOnWriteArrayList<>();
    private final Instant opened = clock.instant();

    OpeningContract(PoolContract door) {
        super(door);
    }

    private Wreck wreck(Store store) {
        return new Wreck(store, NOTE.name(), opened);
    }

    private PoolBuilder noting(Store store) {
        return on(store).handle(NOTE, (note, job) -> {
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

    /** Past the pool, which hears nothing of it. */
    private static void insert(Store store, Draft draft) {
        store.insert(List.of(new Submission(List.of(draft.job()))));
    }

    private List<Job> in(JobState state) {
        return pool().list(JobQuery.all().states(state).limit(1_000));
    }

    /** {@code TestGRACEGracefulStart}: the first at once, the next nine at one a second. */
    @Test
    void startsTheFirstAtOnceAndTheNextNineOneASecond() {
        Store store = newStore();
        wreck(store).running(12);

        openAndRecover(noting(store));

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

    /** {@code TestGRACEGradualRecovery}: how many are due in each window follows the stages to the end. */
    @Test
    void spreadsTheRestEvenlyOverAQuarterOfAnHour() {
        Store store = newStore();
        wreck(store).running(40);

        openAndRecover(noting(store));

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
        assertThat(in(JobState.COMPLETED)).as("each once")
                .allSatisfy(job -> assertThat(pool().story(job.id()).orElseThrow().attempts())
                        .extracting(Attempt::end)
                        .containsExactly(Attempt.End.CRASHED, Attempt.End.COMPLETED));
    }

    @Test
    void keepsTheScheduleInTheStoreWithItsReason() {
        Store store = newStore();
        List<JobId> ran = wreck(store).running(3);

        openAndRecover(on(store));

        assertThat(in(JobState.QUEUED)).extracting(Job::id).containsExactly(ran.getFirst());
        assertThat(in(JobState.SCHEDULED)).extracting(job -> job.dueAt().orElseThrow())
                .containsExactly(opened.plusSeconds(2), opened.plusSeconds(1));
        Story story = pool().story(ran.get(1)).orElseThrow();
        assertThat(story.history()).containsExactly(new HistoryEntry(JobState.RUNNING, JobState.SCHEDULED,
                "node died; starts again as number 2 of 3", pool().nodeId(), opened));
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.CRASHED);
        assertThat(story.job().counts()).as("no failure of its own").isEqualTo(new Job.Counts(1, 0, 0));
    }

    @Test
    void canBeToldAnotherSchedule() {
        Store store = newStore();
        wreck(store).running(6);

        openAndRecover(on(store)
                .staging(new Staging(2, 2, Duration.ofSeconds(10), Duration.ofSeconds(50))));

        assertThat(in(JobState.QUEUED)).hasSize(2);
        assertThat(in(JobState.SCHEDULED)).extracting(job -> job.dueAt().orElseThrow()).containsExactly(
                opened.plusSeconds(40), opened.plusSeconds(30), opened.plusSeconds(20),
                opened.plusSeconds(10));
    }

    @Test
    void startsThoseWithACheckpointFirst() {
        Store store = newStore();
        Wreck wreck = wreck(store);
        wreck.running(3);
        wreck.checkpointed(2, Care.NONE);

        openAndRecover(noting(store));
        awaitStarts(1);
        for (int second = 1; second < 5; second++) {
            clock.advance(Duration.ofSeconds(1));
            awaitStarts(second + 1);
        }

        assertThat(started).containsExactly("4", "5", "1", "2", "3");
    }

    @Test
    void putsWhatHadNotStartedBackIntoTheQueueAtOnce() {
        Store store = newStore();
        wreck(store).assigned(20);

        openAndRecover(noting(store));

        awaitStarts(20);
    }

    @Test
    void recoversBeforeItTakesNewWork() throws Exception {
        if (isShared()) {
            return; // there it has to wait until it may call the dead one dead
        }
        Store store = newStore();
        Wreck wreck = wreck(store);
        JobId orphan = wreck.running(1).getFirst();
        insert(store, Draft.of("new").payload("{\"text\": \"new\"}"));
        CompletableFuture<JobState> seen = new CompletableFuture<>();
        CompletableFuture<Pool> opening = new CompletableFuture<>();

        open(on(store).handle(JobType.of("new", Note.class, String.class), (note, job) -> {
            seen.complete(opening.join().find(orphan).orElseThrow().state());
            return "";
        }));
        opening.complete(pool());

        assertThat(seen.get(30, TimeUnit.SECONDS)).isEqualTo(JobState.QUEUED);
        assertThat(pool().opening().found()).isEqualTo(1);
    }

    @Test
    void stagesNothingASecondTime() {
        Store store = newStore();
        List<JobId> ran = wreck(store).running(20);
        openAndRecover(on(store));
        List<Story> before = ran.stream().map(id -> pool().story(id).orElseThrow()).toList();
        pool().close();
        clock.advance(Duration.ofSeconds(30));

        open(on(openAgain()));
        if (pool().find(ran.getFirst()).isEmpty()) {
            return; // a store that keeps nothing has nothing more to show
        }
        assertThat(pool().opening().found()).isZero();
        assertThat(ran).extracting(id -> pool().story(id).orElseThrow()).isEqualTo(before);
    }

    @Test
    void buriesWhatMustNotRunAgainAndReportsEverything() {
        Store store = newStore();
        Wreck wreck = wreck(store);
        wreck.assigned(2);
        wreck.running(11);
        wreck.checkpointed(1, Care.ONCE);
        JobId once = wreck.running(1, Care.ONCE).getFirst();

        openAndRecover(on(store));

        assertThat(pool().find(once).orElseThrow().reason().orElseThrow()).startsWith("orphaned: ");
        assertThat(logged()).contains("Recovered 15 jobs of dead nodes (1 with a checkpoint): "
                + "2 back in the queue, 1 at once, 9 warm, 2 slow, 1 dead-lettered");
        assertThat(in(JobState.SCHEDULED)).hasSize(11);
        assertThat(in(JobState.QUEUED)).hasSize(3);
        if (!isShared()) {
            assertThat(pool().opening()).isEqualTo(new RecoveryReport(15, 1, 2, 1, 9, 2, 1));
        }
    }

    @Test
    void buriesAJobThatTookTooManyNodesDownAndCountsItsCrashes() {
        Store store = newStore();
        JobId guilty = wreck(store).running(1, Care.BLAMED).getFirst();

        openAndRecover(on(store).maxCrashes(0));

        Job job = pool().find(guilty).orElseThrow();
        assertThat(job.state()).isEqualTo(JobState.FAILED);
        assertThat(job.reason()).contains("poison: its node died 1 times while it ran");
        assertThat(job.counts()).isEqualTo(new Job.Counts(1, 0, 1));
    }

    /** However many are due: only one at a time can be to blame for the next crash, and its start is on disk. */
    @Test
    void runsTheOrphansOneAtATimeWithTheirStartsCommittedFirst() {
        Store store = newStore();
        wreck(store).running(8);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<JobState> states = new CopyOnWriteArrayList<>();
        CompletableFuture<Pool> opening = new CompletableFuture<>();

        open(on(store).staging(Staging.none()).workers(4).handle(NOTE, (note, job) -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            states.add(opening.join().find(job.id()).orElseThrow().state());
            running.decrementAndGet();
            return "";
        }));
        opening.complete(pool());

        await().until(() -> states.size() == 8);
        assertThat(most).hasValue(1);
        assertThat(states).containsOnly(JobState.RUNNING);
    }

    @Test
    void reportsNothingWhereNobodyDied() {
        open(on(newStore()));

        assertThat(pool().opening()).isEqualTo(new RecoveryReport(0, 0, 0, 0, 0, 0, 0));
        assertThat(logged()).noneMatch(line -> line.startsWith("Recovered"));
    }

    /** The safety net: a job that came into the store while nobody told this node. */
    @Test
    void findsByPollingWhatNobodyToldItOf() {
        Store store = newStore();
        open(noting(store).pollEvery(Duration.ofSeconds(7)));
        submit("told").ending().join();
        insert(store, Draft.of(NOTE.name()).payload("{\"text\": \"untold\"}"));

        clock.advance(Duration.ofSeconds(7));

        awaitStarts(2);
    }

    @Test
    void isWokenAtOnceWhereItNeverPolls() {
        open(noting(newStore()).pollEvery(Duration.ZERO));

        submit("one").ending().join();
        submit("two").ending().join();

        assertThat(started).containsExactly("one", "two");
    }

    /** Two would take each other's news, and each would close the other's store. */
    @Test
    void hasAStoreForItself() {
        Store store = newStore();
        open(noting(store));

        assertThatThrownBy(() -> on(store).open()).isInstanceOf(IllegalStateException.class)
                .hasMessage(store.getClass().getSimpleName()
                        + " has an open pool already; use that one, or give this one a store of its own");

        submit("the first goes on").ending().join();
        assertThat(started).containsExactly("the first goes on");
    }
}
