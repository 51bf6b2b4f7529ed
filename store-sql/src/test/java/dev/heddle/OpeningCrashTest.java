package dev.heddle;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.Story;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.Torture;
import dev.heddle.testkit.Wire;
import dev.heddle.testkit.Wreck;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A node that dies while it opens changes nothing in the end: every job is staged, and once. */
class OpeningCrashTest {

    private static final Instant CRASHED = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir private Path directory;

    @ParameterizedTest
    @EnumSource
    void stagesEveryJobOnceHoweverOftenItIsKilled(Places.Kind kind) throws Exception {
        Random random = Torture.random("OpeningCrashTest on " + kind);
        int kills = Torture.rounds(4, 40);
        String place = Places.in(kind, directory);
        List<JobId> jobs = wreck(place, 10_000);
        int inTime = 0;
        for (int kill = 0; kill < kills; kill++) {
            try (ChildJvm victim = ChildJvm.start(OpeningVictim.class, place)) {
                awaitRecovery(kind, victim);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(kind == Places.Kind.SQLITE ? 500 : 1_500));
                victim.kill();
            }
            try (Store store = Places.open(place)) {
                long running = store.tally().in(JobState.RUNNING);
                assertThat(running).as("all of them or none").isIn(0L, (long) jobs.size());
                inTime += running == jobs.size() ? 1 : 0;
            }
        }
        System.out.println("OpeningCrashTest on " + kind + ": " + kills + " kills, " + inTime
                + " of them before the recovery was committed");
        openAndCheck(place, jobs);
    }

    /** On a shared store its first look comes too early to find anybody dead; at the least the victim before it is. */
    private static void awaitRecovery(Places.Kind kind, ChildJvm victim) {
        int looks = kind == Places.Kind.SQLITE ? 1 : 2;
        Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(2))
                .until(() -> !victim.isAlive()
                        || victim.lines().stream().filter(OpeningVictim.RECOVERING::equals).count() >= looks);
    }

    private static List<JobId> wreck(String place, int count) {
        try (Store store = Places.open(place)) {
            return new Wreck(store, "note", CRASHED).running(count);
        }
    }

    private static void openAndCheck(String place, List<JobId> jobs) {
        try (Pool pool = Pool.on(Places.open(place)).lease(Duration.ofMillis(1_500))
                .renewEvery(Duration.ofMillis(300)).open()) {
            Awaitility.await().atMost(Duration.ofSeconds(60))
                    .until(() -> pool.tally().in(JobState.RUNNING) == 0);
            Instant recoveredAt = pool.story(jobs.getFirst()).orElseThrow().history().getFirst().at();
            for (int i = 0; i < jobs.size(); i += jobs.size() / 100) {
                Story story = pool.story(jobs.get(i)).orElseThrow();
                assertThat(story.history()).as("staged once, and all of them together").singleElement()
                        .extracting(HistoryEntry::at).isEqualTo(recoveredAt);
                assertThat(story.attempts()).extracting(Attempt::end)
                        .containsExactly(Attempt.End.CRASHED);
            }
            assertThat(scheduled(pool).map(job -> job.dueAt().orElseThrow())
                    .map(due -> Duration.between(recoveredAt, due).toMillis()))
                    .as("each has a turn of its own")
                    .containsExactlyInAnyOrderElementsOf(schedule(jobs.size()));
        }
    }

    private static Stream<Job> scheduled(Pool pool) {
        return pool.list(JobQuery.all().states(JobState.SCHEDULED).limit(20_000)).stream();
    }

    /** What the stages promise, without asking the code that makes them; the first has no due time. */
    private static List<Long> schedule(int count) {
        int slow = count - 10;
        return LongStream.concat(LongStream.rangeClosed(1, 9).map(second -> second * 1_000),
                LongStream.range(0, slow).map(place -> 10_000 + 890_000 * place / slow)).boxed().toList();
    }

    @Test
    void findsEverythingAgainWhereItsRecoveryFailed() {
        String place = Places.in(Places.Kind.SQLITE, directory);
        List<JobId> jobs = wreck(place, 100);
        Wire wire = new Wire(Places.open(place));
        wire.cut("recover");

        assertThatThrownBy(() -> Pool.on(wire.store()).open()).isInstanceOf(StoreException.class);

        openAndCheck(place, jobs);
    }

    @Test
    void findsNothingMoreWhereOnlyTheAnswerOfItsRecoveryWasLost() {
        String place = Places.in(Places.Kind.SQLITE, directory);
        List<JobId> jobs = wreck(place, 100);
        Wire wire = new Wire(Places.open(place));
        wire.lose("recover", 1);

        assertThatThrownBy(() -> Pool.on(wire.store()).open()).isInstanceOf(StoreException.class);

        openAndCheck(place, jobs);
    }
}
