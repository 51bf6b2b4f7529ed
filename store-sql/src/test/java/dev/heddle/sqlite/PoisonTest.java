package dev.heddle.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A job that kills its JVM is identified, and its neighbors are not blamed. */
class PoisonTest {

    private static final int HARMLESS = 100;
    private static final JobType<Boolean, String> TASK = JobType.of("task", Boolean.class, String.class);

    @TempDir
    private Path directory;

    /** Submits a hundred harmless jobs and one that halts the JVM, unless it did so before, and runs them. */
    static final class Node {
        private Node() {}

        public static void main(String[] args) throws InterruptedException {
            try (Pool pool = Pool.on(SqliteStore.at(Path.of(args[0]))).register(TASK, (deadly, job) -> {
                if (deadly) {
                    Runtime.getRuntime().halt(99);
                }
                return "fine";
            }).open()) {
                if (pool.admin().list(JobQuery.all().limit(1)).isEmpty()) {
                    pool.admin().pauseQueue("default");
                    for (int i = 0; i <= HARMLESS; i++) {
                        pool.submit(TASK, i == HARMLESS / 2);
                    }
                    pool.admin().resumeQueue("default");
                }
                boolean idle = pool.awaitIdle(Duration.ofSeconds(90));
                System.out.println(idle ? "IDLE" : "STUCK " + pool.admin().countJobs());
            }
        }
    }

    @Test
    void deadLettersAJobThatHaltsItsJvmAndFinishesAllOthers() {
        int crashes = 0;
        while (crashes < 20) {
            try (ChildJvm node = ChildJvm.start(Node.class, directory.resolve("jobs.db").toString())) {
                int code = node.exitCode(Duration.ofMinutes(2));
                if (code == 0) {
                    assertThat(node.lines()).contains("IDLE");
                    break;
                }
                assertThat(code).as("%s", node.lines()).isEqualTo(99);
                crashes++;
            }
        }

        // Once among its neighbors, not yet a suspect, then three times alone.
        assertThat(crashes).isEqualTo(4);
        try (SqliteStore store = SqliteStore.at(directory.resolve("jobs.db"))) {
            List<Job> dead = store.list(JobQuery.deadLetters());
            assertThat(dead).hasSize(1);
            assertThat(dead.getFirst().reason()).contains("poison: it crashed its node 3 times");
            assertThat(dead.getFirst().counts().crashes()).isEqualTo(3);
            assertThat(store.details(dead.getFirst().id()).orElseThrow().attempts()).extracting(Attempt::end)
                    .filteredOn(Attempt.End.CRASHED::equals).hasSize(3);
            List<Job> completed = store.list(JobQuery.all().states(JobState.COMPLETED).limit(1_000));
            assertThat(completed).hasSize(HARMLESS);
            assertThat(completed).allSatisfy(job -> assertThat(job.counts().crashes()).isZero());
        }
    }
}
