package dev.heddle.sqlite;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.ChildJvm;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/** Ten thousand workers in the 256 MB heap of a {@link ChildJvm}. */
class ManyWorkersTest {

    private static final int WORKERS = 10_000;

    @TempDir
    private Path directory;

    /**
     * Runs twice as many jobs as there are workers. The first jobs wait until all workers are busy. Prints the most
     * jobs that ran at once, and how many completed.
     */
    static final class Sleepers {
        private Sleepers() {}

        public static void main(String[] args) throws Exception {
            JobType<Integer, String> sleep = JobType.of("sleep", Integer.class, String.class);
            AtomicInteger sleeping = new AtomicInteger();
            AtomicInteger most = new AtomicInteger();
            CountDownLatch all = new CountDownLatch(WORKERS);
            try (Pool pool = Pool.on(SqliteStore.at(Path.of(args[0]))).workers(WORKERS)
                    .register(sleep, (number, job) -> {
                        most.accumulateAndGet(sleeping.incrementAndGet(), Math::max);
                        all.countDown();
                        all.await();
                        Thread.sleep(Duration.ofSeconds(1));
                        sleeping.decrementAndGet();
                        return "";
                    }).open()) {
                pool.submitAll(IntStream.range(0, 2 * WORKERS).mapToObj(sleep::with).toList());
                boolean idle = pool.awaitIdle(Duration.ofMinutes(2));
                System.out.println("idle " + idle + ", most " + most + ", completed " + pool.stats().completed());
            }
        }
    }

    @Test
    void runsTenThousandJobsAtOnceAndNeverOneMore() {
        try (ChildJvm child = ChildJvm.start(Sleepers.class, directory.resolve("jobs.db").toString())) {
            assertThat(child.exitCode(Duration.ofMinutes(3))).as("%s", child.lines()).isZero();
            assertThat(child.lines()).contains("idle true, most 10000, completed 20000");
        }
    }
}
