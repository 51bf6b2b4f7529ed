package dev.heddle.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.store.JobDetails;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/** A job that calls {@code System.exit} in an application that closes its pool in a shutdown hook. */
class ExitTest {

    private static final int EXITED = 98;
    private static final JobType<String, String> EXITS = JobType.of("exits", String.class, String.class);
    private static final JobType<String, String> WAITS = JobType.of("waits", String.class, String.class);

    @TempDir
    private Path directory;

    /** Runs a job that calls exit once another one runs beside it; ends by itself if there is no such job any more. */
    static final class Application {

        private Application() {}

        public static void main(String[] args) throws InterruptedException {
            CountDownLatch neighborRuns = new CountDownLatch(1);
            PoolBuilder builder = Pool.on(SqliteStore.at(Path.of(args[0]))).register(EXITS, (payload, job) -> {
                neighborRuns.await();
                System.exit(EXITED);
                return "never";
            }).register(WAITS, (payload, job) -> {
                neighborRuns.countDown();
                while (true) {
                    job.sleep(Duration.ofHours(1));
                }
            });
            Pool pool = builder.virtualThreads(args[1].equals("virtual")).open();
            Runtime.getRuntime().addShutdownHook(new Thread(pool::close));
            if (pool.admin().list(JobQuery.all()).isEmpty()) {
                pool.submit(EXITS, "");
                pool.submit(WAITS, "");
            }
            if (!pool.admin().list(JobQuery.deadLetters()).isEmpty()) {
                neighborRuns.await();
                System.exit(0);
            }
            new CountDownLatch(1).await();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"platform", "virtual"})
    void deadLettersAJobThatCallsExitAndReleasesItsNeighbor(String threads) {
        Path file = directory.resolve("jobs.db");
        for (int exits = 0; exits < 3; exits++) {
            assertThat(run(file, threads)).as("after %d exits", exits).isEqualTo(EXITED);
        }
        assertThat(run(file, threads)).as("the job is dead, and the node goes on").isZero();

        try (SqliteStore store = SqliteStore.at(file)) {
            Job dead = store.list(JobQuery.deadLetters()).getFirst();
            assertThat(dead.type()).isEqualTo("exits");
            assertThat(dead.reason()).contains("poison: it crashed its node 3 times");
            assertThat(dead.counts()).isEqualTo(new Job.Counts(3, 0, 3));
            assertThat(details(store, dead).attempts()).extracting(Attempt::end).containsOnly(Attempt.End.CRASHED);

            Job neighbor = store.list(JobQuery.all().type("waits")).getFirst();
            assertThat(neighbor.state()).isEqualTo(JobState.QUEUED);
            assertThat(neighbor.counts()).isEqualTo(new Job.Counts(4, 0, 0));
            assertThat(details(store, neighbor).attempts()).extracting(Attempt::end).hasSize(4)
                    .containsOnly(Attempt.End.RELEASED);
        }
    }

    private static int run(Path file, String threads) {
        try (ChildJvm child = ChildJvm.start(Application.class, file.toString(), threads)) {
            return child.exitCode(Duration.ofMinutes(1));
        }
    }

    private static JobDetails details(SqliteStore store, Job job) {
        return store.details(job.id()).orElseThrow();
    }
}
