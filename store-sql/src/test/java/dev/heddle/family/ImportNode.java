package dev.heddle.family;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

import dev.heddle.job.Children;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.job.TwoPhaseHandler;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;

/**
 * A node that runs imports: two-phase jobs over rows, some of which are imports themselves. It submits a few imports
 * and works until it is killed. If it is started to drain, it works until no job is left.
 */
final class ImportNode {

    /** Adds up {@code count} numbers from {@code first}. */
    record Import(int first, int count, int depth) {

        int sum() {
            return count * (2 * first + count - 1) / 2;
        }
    }

    /** The sum, and the number of children that it comes from. */
    record Result(int sum, int children) {}

    static final JobType<Import, Result> IMPORT = JobType.of("import", Import.class, Result.class);
    static final JobType<Integer, Integer> ROW = JobType.of("row", Integer.class, Integer.class);
    private static final int IMPORTS = 3;

    private ImportNode() {}

    /** Arguments: {@code sqlite} or {@code postgres}, the file or URL, seed, {@code load} or {@code drain}. */
    public static void main(String[] args) throws Exception {
        try (Pool pool = open(store(args[0], args[1]))) {
            Random random = new Random(Long.parseLong(args[2]));
            if (args[3].equals("drain")) {
                System.out.println("READY");
                boolean idle = pool.awaitIdle(Duration.ofMinutes(4));
                System.out.println(idle ? "DRAINED" : "STUCK " + pool.admin().countJobs());
                return;
            }
            for (int i = 0; i < IMPORTS; i++) {
                Import order = new Import(random.nextInt(100), 10 + random.nextInt(30), 2);
                System.out.println("ack " + pool.submit(IMPORT, order).id() + " " + order.sum());
            }
            System.out.println("READY");
            Thread.sleep(Duration.ofMinutes(5));
        }
    }

    static Store store(String kind, String location) {
        return kind.equals("sqlite") ? SqliteStore.at(Path.of(location))
                : PostgresStore.builder().url(location).connections(4).open();
    }

    private static Pool open(Store store) {
        PoolBuilder builder = Pool.on(store).workers(6).maxCrashes(10_000).lease(Duration.ofMillis(1_500))
                .renewEvery(Duration.ofMillis(300)).cancelGrace(Duration.ofMillis(100), Duration.ofMillis(100))
                .closeTimeout(Duration.ofMillis(200)).retry(RetryPolicy.linear(50, Duration.ofMillis(5)));
        return builder.register(IMPORT, new Importer()).register(ROW, ImportNode::row).open();
    }

    private static final class Importer implements TwoPhaseHandler<Import, Result> {

        /** Every fifth row is an import of one row, down to a limited depth. */
        @Override
        public void ingest(Import order, JobContext job) throws InterruptedException {
            for (int i = 0; i < order.count(); i++) {
                int number = order.first() + i;
                if (order.depth() > 1 && i % 5 == 0) {
                    job.spawn(IMPORT, new Import(number, 1, order.depth() - 1));
                } else {
                    job.spawn(ROW, number);
                }
                dawdle(2);
            }
        }

        @Override
        public Result aggregate(Import order, Children children, JobContext job) throws InterruptedException {
            dawdle(20);
            List<Integer> rows = children.results(ROW).toList();
            List<Result> imports = children.results(IMPORT).toList();
            return new Result(
                    rows.stream().mapToInt(Integer::intValue).sum() + imports.stream().mapToInt(Result::sum).sum(),
                    rows.size() + imports.size());
        }
    }

    private static int row(int number, JobContext job) throws InterruptedException {
        dawdle(15);
        if (number % 7 == 0 && job.attempt() == 1) {
            throw JobException.transientFailure("at first");
        }
        return number;
    }

    /** Takes some time, in which a kill may come. */
    private static void dawdle(int mostMillis) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(mostMillis + 1));
    }
}
