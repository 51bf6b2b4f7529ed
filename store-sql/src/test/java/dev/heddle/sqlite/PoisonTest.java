package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.Attempt;
import dev.heddle.job.Job;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.Staging;
import dev.heddle.store.JobQuery;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** A job that kills its JVM is identified, and its neighbors are not blamed. */
class PoisonTest {

    private static final int HARMLESS = 100;
    private static final int HALTED = 99;
    private static final JobType<Boolean, String> TASK = JobType.of("task", Boolean.class, String.class);

    @TempDir
    private Path directory;

    /** Submits a hundred short jobs and one that halts the JVM, unless it did so before, and runs them. */
    static final class ShortJobs {
        private ShortJobs() {}

        public static void main(String[] args) throws InterruptedException {
            try (Pool pool = Pool.on(SqliteStore.at(Path.of(args[0]))).register(TASK, (deadly, job) -> {
                if (deadly) {
                    Runtime.getRuntime().halt(HALTED);
                }
                return "fine";
            }).open()) {
                submitOnce(pool, HARMLESS / 2);
                awaitIdle(pool);
            }
        }
    }

    /**
     * Does the same with jobs that run until the deadly one is a dead letter, all at once. The deadly one waits until
     * all that may start have started, so that there are as many possible causes as there can be.
     */
    static final class LongJobs {

        private static final AtomicInteger RUNNING = new AtomicInteger();

        private LongJobs() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            Path found = Path.of(args[1]);
            try (Pool pool = Pool.on(SqliteStore.at(Path.of(args[0]))).workers(HARMLESS + 1).staging(Staging.none())
                    .register(TASK, (deadly, job) -> {
                        RUNNING.incrementAndGet();
                        if (deadly) {
                            haltOnceNoMoreStart(job);
                        }
                        while (!Files.exists(found)) {
                            job.cancellation().throwIfCancelled();
                            Thread.sleep(50);
                        }
                        return "fine";
                    }).open()) {
                submitOnce(pool, 0);
                if (!pool.admin().list(JobQuery.deadLetters()).isEmpty()) {
                    Files.createFile(found);
                }
                awaitIdle(pool);
            }
        }

        private static void haltOnceNoMoreStart(JobContext job) throws InterruptedException {
            int before;
            do {
                before = RUNNING.get();
                Thread.sleep(500);
                job.cancellation().throwIfCancelled();
            } while (RUNNING.get() != before);
            Runtime.getRuntime().halt(HALTED);
        }
    }

    private static void submitOnce(Pool pool, int deadly) {
        if (pool.admin().list(JobQuery.all().limit(1)).isEmpty()) {
            pool.admin().pauseQueue("default");
            for (int i = 0; i <= HARMLESS; i++) {
                pool.submit(TASK, i == deadly);
            }
            pool.admin().resumeQueue("default");
        }
    }

    private static void awaitIdle(Pool pool) throws InterruptedException {
        boolean idle = pool.awaitIdle(Duration.ofSeconds(90));
        System.out.println(idle ? "IDLE" : "STUCK " + pool.admin().countJobs());
    }

    /** Starts nodes until one ends in order; returns how many were halted. */
    private int deaths(Class<?> node) {
        for (int deaths = 0; deaths < 30; deaths++) {
            try (ChildJvm child = ChildJvm.start(node, directory.resolve("jobs.db").toString(),
                    directory.resolve("found").toString())) {
                int code = child.exitCode(Duration.ofMinutes(3));
                if (code == 0) {
                    assertThat(child.lines()).contains("IDLE");
                    return deaths;
                }
                assertThat(code).as("%s", child.lines()).isEqualTo(HALTED);
            }
        }
        throw new AssertionError("the job that halts its JVM was not found");
    }

    private void assertOnlyTheDeadlyJobIsDead() {
        try (SqliteStore store = SqliteStore.at(directory.resolve("jobs.db"))) {
            List<Job> dead = store.list(JobQuery.deadLetters());
            assertThat(dead).hasSize(1);
            assertThat(dead.getFirst().payload(TASK)).isTrue();
            assertThat(dead.getFirst().reason()).contains("poison: it crashed its node 3 times");
            assertThat(dead.getFirst().counts().crashes()).isEqualTo(3);
            assertThat(store.details(dead.getFirst().id()).orElseThrow().attempts()).extracting(Attempt::end)
                    .filteredOn(Attempt.End.CRASHED::equals).hasSize(3);
            List<Job> completed = store.list(JobQuery.all().states(JobState.COMPLETED).limit(1_000));
            assertThat(completed).hasSize(HARMLESS);
            assertThat(completed).allSatisfy(job -> assertThat(job.counts().crashes()).isZero());
        }
    }

    @Test
    void deadLettersAJobThatHaltsItsJvmAndFinishesAllOthers() {
        // Four workers: 1 + ⌈log₂ 4⌉ + 3.
        assertThat(deaths(ShortJobs.class)).isBetween(4, 6);

        assertOnlyTheDeadlyJobIsDead();
    }

    @Test
    void findsItAmongAHundredLongJobsWithinTheBound() {
        // 1 + ⌈log₂ 101⌉ + 3.
        assertThat(deaths(LongJobs.class)).isBetween(5, 11);

        assertOnlyTheDeadlyJobIsDead();
    }
}
