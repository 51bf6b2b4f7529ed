package dev.heddle;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.StoreFaults;
import dev.heddle.testkit.Torture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Nodes that die while they open change nothing: every job is staged, and only once. */
class OpeningCrashTest {

    private static final Instant CRASHED = Instant.parse("2026-03-01T12:00:00Z");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void stagesEveryJobOnceHoweverOftenTheNodeIsKilled(StoreLocations.Kind kind) throws Exception {
        Random random = Torture.random("OpeningCrashTest on " + kind);
        int kills = Torture.rounds(4, 40);
        String location = StoreLocations.create(kind, directory);
        List<JobId> jobs = wreck(location, 10_000);
        int beforeCommit = 0;
        for (int kill = 0; kill < kills; kill++) {
            try (ChildJvm victim = ChildJvm.start(RecoveringNode.class, location)) {
                awaitRecovery(kind, victim);
                TimeUnit.MILLISECONDS.sleep(random.nextInt(kind == StoreLocations.Kind.SQLITE ? 500 : 1_500));
                victim.kill();
            }
            try (Store store = StoreLocations.open(location)) {
                long running = store.countJobs().in(JobState.RUNNING);
                assertThat(running).as("all of them or none").isIn(0L, (long) jobs.size());
                beforeCommit += running == jobs.size() ? 1 : 0;
            }
        }
        System.out.println("OpeningCrashTest on " + kind + ": " + kills + " kills, " + beforeCommit
                + " of them before the recovery was committed");
        openAndCheck(location, jobs);
    }

    /**
     * On a shared store the first recovery comes too early to find dead nodes; the second finds at least the last
     * victim.
     */
    private static void awaitRecovery(StoreLocations.Kind kind, ChildJvm victim) {
        int looks = kind == StoreLocations.Kind.SQLITE ? 1 : 2;
        Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(2))
                .until(() -> !victim.isAlive()
                        || victim.lines().stream().filter(RecoveringNode.RECOVERING::equals).count() >= looks);
    }

    private static List<JobId> wreck(String location, int count) {
        try (Store store = StoreLocations.open(location)) {
            return new CrashedNode(store, "note", CRASHED).running(count);
        }
    }

    private static void openAndCheck(String location, List<JobId> jobs) {
        try (Pool pool = Pool.on(StoreLocations.open(location)).lease(Duration.ofMillis(1_500))
                .renewEvery(Duration.ofMillis(300)).open()) {
            Awaitility.await().atMost(Duration.ofSeconds(60))
                    .until(() -> pool.admin().countJobs().in(JobState.RUNNING) == 0);
            Instant recoveredAt = pool.admin().details(jobs.getFirst()).orElseThrow().history().getFirst().at();
            for (int i = 0; i < jobs.size(); i += jobs.size() / 100) {
                JobDetails story = pool.admin().details(jobs.get(i)).orElseThrow();
                assertThat(story.history()).as("staged once, all together").singleElement().extracting(HistoryEntry::at)
                        .isEqualTo(recoveredAt);
                assertThat(story.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.NODE_DIED);
            }
            List<Instant> due = dueTimes(pool);
            // The clock of the store, which is read a little later than that of the node.
            Instant staged = due.getFirst().minusSeconds(1);
            assertThat(staged).isAfterOrEqualTo(recoveredAt);
            assertThat(due.stream().map(time -> Duration.between(staged, time).toMillis())).as("due times")
                    .containsExactlyElementsOf(schedule(jobs.size()));
        }
    }

    private static List<Instant> dueTimes(Pool pool) {
        return pool.admin().list(JobQuery.all().states(JobState.SCHEDULED).limit(20_000)).stream()
                .map(job -> job.dueAt().orElseThrow()).sorted().toList();
    }

    /** Returns the promised due times, without calling the code that computes them. The first job has none. */
    private static List<Long> schedule(int count) {
        int slow = count - 10;
        return LongStream.concat(LongStream.rangeClosed(1, 9).map(second -> second * 1_000),
                LongStream.range(0, slow).map(turn -> 10_000 + 890_000 * turn / slow)).boxed().toList();
    }

    @Test
    void recoversEverythingAfterAFailedRecovery() {
        String location = StoreLocations.create(StoreLocations.Kind.SQLITE, directory);
        List<JobId> jobs = wreck(location, 100);
        StoreFaults faults = new StoreFaults(StoreLocations.open(location));
        faults.fail("recover");

        assertThatThrownBy(() -> Pool.on(faults.store()).open()).isInstanceOf(StoreException.class);

        openAndCheck(location, jobs);
    }

    @Test
    void findsNothingToRecoverIfOnlyTheAnswerOfTheRecoveryWasLost() {
        String location = StoreLocations.create(StoreLocations.Kind.SQLITE, directory);
        List<JobId> jobs = wreck(location, 100);
        StoreFaults faults = new StoreFaults(StoreLocations.open(location));
        faults.loseAnswers("recover", 1);

        assertThatThrownBy(() -> Pool.on(faults.store()).open()).isInstanceOf(StoreException.class);

        openAndCheck(location, jobs);
    }
}
