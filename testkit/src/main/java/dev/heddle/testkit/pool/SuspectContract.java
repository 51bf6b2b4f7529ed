package dev.heddle.testkit.pool;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.Staging;
import dev.heddle.store.AdminCommand;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.store.Suspicion;
import dev.heddle.testkit.CrashedNode;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** How a pool runs jobs that may have killed their node. */
abstract class SuspectContract extends PoolFixture {

    private final List<String> started = new CopyOnWriteArrayList<>();
    private final Semaphore mayEnd = new Semaphore(0);

    SuspectContract(PoolContract contract) {
        super(contract);
    }

    private CrashedNode crashedNode(Store store) {
        return new CrashedNode(store, NOTE.name(), clock.instant());
    }

    private static Suspicion capped(int cap) {
        return new Suspicion(true, cap, 1, Duration.ZERO, 0);
    }

    /** Every job runs until the test lets one end. */
    private PoolBuilder holding(Store store) {
        return on(store).workers(8).staging(Staging.none()).register(NOTE, (note, job) -> {
            started.add(note.text());
            mayEnd.acquire();
            return "";
        });
    }

    private void awaitStarts(int count) {
        await().until(() -> started.size() >= count);
        assertThat(started).hasSize(count);
    }

    private void submitTo(String queue, String text) {
        pool().submit(NOTE.with(new Note(text)).queue(queue));
    }

    private List<Job> in(JobState state) {
        return pool().admin().list(JobQuery.all().states(state).limit(1_000));
    }

    @Test
    void runsOrphansSideBySideOnceTheirStartsAreCommitted() {
        Store store = newStore();
        crashedNode(store).running(8);
        CountDownLatch together = new CountDownLatch(8);
        List<JobState> states = new CopyOnWriteArrayList<>();
        CompletableFuture<Pool> opening = new CompletableFuture<>();

        open(on(store).staging(Staging.none()).workers(8).register(NOTE, (note, job) -> {
            states.add(opening.join().find(job.id()).orElseThrow().state());
            together.countDown();
            return together.await(30, TimeUnit.SECONDS) ? "together" : "alone";
        }));
        opening.complete(pool());

        await().until(() -> in(JobState.COMPLETED).size() == 8);
        assertThat(in(JobState.COMPLETED)).extracting(job -> job.result(NOTE).orElseThrow()).containsOnly("together");
        assertThat(states).containsOnly(JobState.RUNNING);
    }

    @Test
    void startsNoMoreAtOnceThanTheirCapAllowsAndSaysWhyOthersWait() {
        Store store = newStore();
        crashedNode(store).suspects(6, capped(2));
        open(holding(store));
        awaitStarts(2);
        JobId fresh = submit("new").id();

        assertThat(in(JobState.QUEUED)).hasSize(5);
        assertThat(pool().admin().holdReasons().reason(NOTE.name(), Set.of()))
                .contains("a job crashed its node; until it is found, at most 2 jobs start here at a time");
        assertThat(pool().stats().held()).containsOnlyKeys(NOTE.name());
        for (int ended = 1; ended <= 5; ended++) {
            mayEnd.release();
            awaitStarts(Math.min(7, ended + 2));
        }
        mayEnd.release(2);
        await().until(() -> in(JobState.COMPLETED).size() == 7);
        assertThat(started).containsExactlyInAnyOrder("1", "2", "3", "4", "5", "6", "new").endsWith("new");
        assertThat(state(fresh)).isEqualTo(JobState.COMPLETED);
        assertThat(pool().admin().holdReasons().reason(NOTE.name(), Set.of())).isEmpty();
    }

    @Test
    void clearsAJobThatOutlivesItsProbation() {
        Store store = newStore();
        List<JobId> suspects = crashedNode(store).suspects(2, capped(1));
        open(holding(store));
        awaitStarts(1);
        submit("new");

        clock.advance(Duration.ofMillis(9_999));
        assertThat(pool().admin().holdReasons().reason(NOTE.name(), Set.of())).isPresent();
        assertThat(started).hasSize(1);
        clock.advance(Duration.ofMillis(1));
        awaitStarts(2);
        assertThat(state(suspects.getFirst())).as("it goes on").isEqualTo(JobState.RUNNING);
        clock.advance(Duration.ofSeconds(10));
        awaitStarts(3);
        assertThat(pool().admin().holdReasons().reason(NOTE.name(), Set.of())).isEmpty();
        mayEnd.release(3);
    }

    /** Otherwise a node that is never idle would never get to it. */
    @Test
    void startsNothingElseUntilACappedSuspectHasHadItsTurn() {
        Store store = newStore();
        crashedNode(store).suspects(1, capped(1));
        store.execute(new AdminCommand.PauseQueue("default", "test", clock.instant()));
        open(holding(store));
        submitTo("other", "early");
        submitTo("other", "early");
        awaitStarts(2);
        pool().admin().resumeQueue("default");
        await().until(() -> pool().admin().holdReasons().reason(NOTE.name(), Set.of()).isPresent());
        submitTo("other", "late");
        mayEnd.release();
        await().until(() -> in(JobState.COMPLETED).size() == 1);
        assertThat(started).as("the other is still on probation").hasSize(2);
        mayEnd.release();
        awaitStarts(3);
        mayEnd.release();
        awaitStarts(4);
        assertThat(started).containsExactly("early", "early", "1", "late");
        mayEnd.release();
    }

    @Test
    void countsACrashOfAJobThatRanAlone() {
        Store store = newStore();
        JobId guilty = crashedNode(store).runningSuspects(1).getFirst();
        open(holding(store));
        awaitStarts(1);

        JobDetails story = pool().admin().details(guilty).orElseThrow();
        assertThat(story.job().counts().crashes()).isEqualTo(1);
        assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED,
                Attempt.End.CRASHED);
        assertThat(story.history()).extracting(HistoryEntry::reason).containsExactly("node died",
                "node died, and no other job can be the cause");
        submit("new");
        await().until(() -> pool().admin().holdReasons().reason(NOTE.name(), Set.of()).isPresent());
        mayEnd.release(2);
        awaitStarts(2);
    }

    @Test
    void blamesNobodyIfSeveralRan() {
        Store store = newStore();
        List<JobId> ran = crashedNode(store).runningSuspects(5);
        open(holding(store));
        awaitStarts(3);

        assertThat(ran).extracting(id -> pool().find(id).orElseThrow().counts().crashes()).containsOnly(0);
        assertThat(in(JobState.QUEUED)).hasSize(2);
        mayEnd.release(5);
        await().until(() -> in(JobState.COMPLETED).size() == 5);
    }
}
