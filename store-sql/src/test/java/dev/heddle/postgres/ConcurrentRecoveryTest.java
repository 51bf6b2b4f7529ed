package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.pool.Pool;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimRequest;
import dev.heddle.store.JobDetails;
import dev.heddle.store.NewJob;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StoreListener;
import dev.heddle.store.Submission;
import dev.heddle.store.Verdict;
import dev.heddle.testkit.CrashedNode;
import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Several nodes find the same dead node at the same moment. */
class ConcurrentRecoveryTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final int NODES = 4;
    private static final int ORPHANS = 200;
    private static final RecoveryPlan REQUEUE = orphans -> orphans.stream()
            .map(orphan -> new Recovery(orphan, new Transition.Requeue("node died"), false)).toList();

    private final Schemas schemas = new Schemas(Version.V18).steerable();

    /** Adds a node that may declare others dead. */
    private void join(PostgresStore store, String id) throws SQLException {
        store.join(new NodeRecord(id, NOW, NOW, Duration.ofMinutes(1), "[]"), StoreListener.none());
        try (Connection connection = DriverManager.getConnection(schemas.url());
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE " + schemas.schema() + ".node SET steady_since = '-infinity'");
        }
    }

    /** The second node comes between the decision of the first and its commit, and does not wait. */
    @Test
    void leavesADeadNodeToTheNodeThatFoundItFirst() throws SQLException {
        try (PostgresStore first = schemas.openNew(); PostgresStore second = schemas.openAgain()) {
            List<JobId> jobs = new CrashedNode(first, "note", NOW).running(10);
            join(first, "first");
            join(second, "second");
            List<Recovery> late = new ArrayList<>();

            List<Recovery> found = first.recover("first", orphans -> {
                late.addAll(second.recover("second", REQUEUE, NOW));
                return REQUEUE.decide(orphans);
            }, NOW);

            assertThat(late).isEmpty();
            assertThat(found).hasSize(10);
            assertThat(second.recover("second", REQUEUE, NOW)).isEmpty();
            assertThat(jobs).allSatisfy(id -> assertThat(first.details(id).orElseThrow().history()).hasSize(1));
        }
    }

    /** A recovery is one long transaction, and other nodes must be able to work at the same time. */
    @Test
    void doesNotBlockOtherNodes() throws SQLException {
        try (PostgresStore first = schemas.openNew(); PostgresStore second = schemas.openAgain()) {
            new CrashedNode(first, "note", NOW).running(10);
            join(first, "first");
            join(second, "second");
            List<Verdict> meanwhile = new ArrayList<>();

            first.recover("first", orphans -> {
                meanwhile.addAll(submitAndComplete(second));
                return REQUEUE.decide(orphans);
            }, NOW);

            assertThat(meanwhile).containsExactly(Verdict.APPLIED);
        }
    }

    private static List<Verdict> submitAndComplete(PostgresStore store) {
        JobSpec spec = new JobSpec(JobId.next(), "note", "default", 0, "{}", NOW, JobSpec.Extras.NONE);
        store.insert(List.of(new Submission(List.of(new NewJob(spec)))));
        return store.apply(
                store.claim(new ClaimRequest("second", NOW, 10, List.of(new ClaimRequest.Wanted("note", false, 10))))
                        .claims().stream()
                        .map(claim -> (Change) new Change.Ended(claim.fence(),
                                new Change.Execution("w", NOW, NOW, NOW, Attempt.End.COMPLETED, null),
                                new Transition.Complete(null), false))
                        .toList());
    }

    @Test
    void stagesEachOrphanOnceHoweverManyOpenTogether() {
        List<JobId> jobs;
        try (PostgresStore store = schemas.openNew()) {
            schemas.follow(new ManualClock(NOW));
            jobs = new CrashedNode(store, "note", NOW).running(ORPHANS);
        }
        List<CompletableFuture<Pool>> opening = LongStream.range(0, NODES)
                .mapToObj(_ -> CompletableFuture.supplyAsync(
                        () -> Pool.on(schemas.openAgain()).clock(new ManualClock(NOW)).lease(Duration.ofMillis(1_200))
                                .renewEvery(Duration.ofMillis(300)).open(),
                        // The common pool has one thread on two processors, and would open one after the other.
                        task -> Thread.ofPlatform().start(task)))
                .toList();
        List<Pool> pools = opening.stream().map(CompletableFuture::join).toList();
        try {
            Awaitility.await().atMost(Duration.ofSeconds(30))
                    .until(() -> pools.getFirst().admin().countJobs().in(JobState.RUNNING) == 0);
            List<JobDetails> stories = jobs.stream().map(id -> pools.getFirst().admin().details(id).orElseThrow())
                    .toList();

            assertThat(stories).allSatisfy(story -> assertThat(story.history()).hasSize(1));
            assertThat(stories).extracting(story -> story.history().getFirst()).extracting(HistoryEntry::actor)
                    .as("all staged by one node").containsOnly(stories.getFirst().history().getFirst().actor());
            assertThat(stories.stream().flatMap(story -> story.job().dueAt().stream())
                    .map(due -> Duration.between(NOW, due).toMillis())).containsExactlyInAnyOrderElementsOf(
                            LongStream
                                    .concat(LongStream.rangeClosed(1, 9).map(second -> second * 1_000),
                                            LongStream.range(0, ORPHANS - 10)
                                                    .map(place -> 10_000 + 890_000 * place / (ORPHANS - 10)))
                                    .boxed().toList());
        } finally {
            pools.forEach(Pool::close);
        }
    }
}
