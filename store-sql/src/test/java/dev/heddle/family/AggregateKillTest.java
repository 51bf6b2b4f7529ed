package dev.heddle.family;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.Attempt;
import dev.heddle.job.Children;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.store.Store;
import dev.heddle.testkit.ChildJvm;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A node that is killed while a two-phase job aggregates: where the job goes on depends on its children. */
class AggregateKillTest {

    private static final JobType<Integer, Integer> SUM = JobType.of("sum", Integer.class, Integer.class);
    private static final JobType<Integer, Integer> NUMBER = JobType.of("number", Integer.class, Integer.class);

    @TempDir
    private Path directory;

    /**
     * Runs the job until it is killed or the job has ended. Arguments: the kind of store, its location, how many
     * children the first ingest spawns, and {@code stay} to stay in the first aggregate.
     */
    static final class Node {

        private Node() {}

        public static void main(String[] args) throws InterruptedException {
            boolean stay = args[3].equals("stay");
            try (Pool pool = Pool.on(ImportNode.store(args[0], args[1])).lease(Duration.ofSeconds(5))
                    .renewEvery(Duration.ofSeconds(1)).register(NUMBER, (number, job) -> number)
                    .register(SUM, new Sum(stay)).open()) {
                if (pool.admin().list(JobQuery.all()).isEmpty()) {
                    pool.submit(SUM, Integer.valueOf(args[2]));
                }
                boolean idle = pool.awaitIdle(Duration.ofMinutes(1));
                System.out.println(idle ? "IDLE" : "STUCK " + pool.admin().countJobs());
            }
        }
    }

    private record Sum(boolean stay) implements TwoPhaseHandler<Integer, Integer> {

        @Override
        public void ingest(Integer atFirst, JobContext job) {
            System.out.println("INGEST");
            int children = job.attempt() == 1 ? atFirst : 3;
            for (int i = 0; i < children; i++) {
                job.spawn(NUMBER, 1);
            }
        }

        @Override
        public Integer aggregate(Integer atFirst, Children children, JobContext job) throws InterruptedException {
            List<Integer> numbers = children.results(NUMBER).toList();
            if (stay) {
                // Once this is durable, so is the start of the attempt, which a kill must find in the store.
                job.saveCheckpoint("started");
            }
            System.out.println("AGGREGATE " + numbers.size());
            if (stay) {
                new CountDownLatch(1).await();
            }
            return numbers.size();
        }
    }

    private String location(String kind) {
        return kind.equals("sqlite") ? directory.resolve("jobs.db").toString()
                : PostgresServer.shared(Version.V18).createDatabase();
    }

    /** Kills a node in its aggregate and returns what the next one prints about the phases. */
    private static List<String> phasesAfterKill(String kind, String location, int children) {
        try (ChildJvm node = ChildJvm.start(Node.class, kind, location, String.valueOf(children), "stay")) {
            node.awaitLine(("AGGREGATE " + children)::equals);
            node.kill();
        }
        try (ChildJvm next = ChildJvm.start(Node.class, kind, location, String.valueOf(children), "go")) {
            assertThat(next.exitCode(Duration.ofMinutes(2))).as("%s", next.lines()).isZero();
            assertThat(next.lines()).contains("IDLE");
            return next.lines().stream().filter(line -> line.matches("INGEST|AGGREGATE \\d+")).toList();
        }
    }

    private static JobDetails sum(Store store) {
        return store.details(store.list(JobQuery.all().type(SUM)).getFirst().id()).orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    void goesBackToIngestWithoutChildren(String kind) {
        String location = location(kind);

        assertThat(phasesAfterKill(kind, location, 0)).containsExactly("INGEST", "AGGREGATE 3");

        try (Store store = ImportNode.store(kind, location)) {
            JobDetails sum = sum(store);
            assertThat(sum.job().state()).isEqualTo(JobState.COMPLETED);
            assertThat(sum.job().result()).contains("3");
            assertThat(sum.attempts()).extracting(Attempt::end).containsExactly(Attempt.End.INGESTED,
                    Attempt.End.NODE_DIED, Attempt.End.INGESTED, Attempt.End.COMPLETED);
            assertThat(sum.history()).extracting(HistoryEntry::reason).anySatisfy(
                    reason -> assertThat(reason).startsWith("node died")
                            .contains("back to ingest: no child tasks found"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    void staysInAggregateWithChildren(String kind) {
        String location = location(kind);

        assertThat(phasesAfterKill(kind, location, 2)).containsExactly("AGGREGATE 2");

        try (Store store = ImportNode.store(kind, location)) {
            assertThat(sum(store).job().result()).contains("2");
            assertThat(sum(store).attempts()).extracting(Attempt::end).containsExactly(Attempt.End.INGESTED,
                    Attempt.End.NODE_DIED, Attempt.End.COMPLETED);
        }
    }
}
