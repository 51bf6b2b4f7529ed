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
 * A node that imports: every import is a two-phase job over rows, a few of which are imports themselves. It submits some
 * and works until it is killed, or, told to drain, until nothing is left.
 */
final class ImportNode {

    /** Adds up the numbers from {@code first}, so many of them, and says what they come to. */
    record Import(int first, int count, int depth) {

        int sum() {
            return count * (2 * first + count - 1) / 2;
        }
    }

    /** What became of it: the sum, and of how many children. */
    record Result(int sum, int children) {}

    static final JobType<Import, Result> IMPORT = JobType.of("import", Import.class, Result.class);
    static final JobType<Integer, Integer> ROW = JobType.of("row", Integer.class, Integer.class);
    private static final int SOME = 3;

    private ImportNode() {}

    /** Arguments: {@code sqlite} or {@code postgres}, the file or URL, seed, {@code load} or {@code drain}. */
    public static void main(String[] args) throws Exception {
        try (Pool pool = open(store(args[0], args[1]))) {
            Random random = new Random(Long.parseLong(args[2]));
            if (args[3].equals("drain")) {
                System.out.println("READY");
                boolean idle = pool.awaitIdle(Duration.ofMinutes(4));
                System.out.println(idle ? "DRAINED" : "STUCK " + pool.tally());
                return;
            }
            for (int i = 0; i < SOME; i++) {
                Import order = new Import(random.nextInt(100), 10 + random.nextInt(30), 2);
                System.out.println("ack " + pool.submit(IMPORT, order).id() + " " + order.sum());
            }
            System.out.println("READY");
            Thread.sleep(Duration.ofMinutes(5));
        }
    }

    static Store store(String kind, String place) {
        return kind.equals("sqlite") ? SqliteStore.at(Path.of(place))
                : PostgresStore.builder().url(place).connections(4).open();
    }

    private static Pool open(Store store) {
        PoolBuilder builder = Pool.on(store).workers(6).maxCrashes(10_000)
                .lease(Duration.ofMillis(1_500)).renewEvery(Duration.ofMillis(300))
                .cancelGrace(Duration.ofMillis(100), Duration.ofMillis(100))
                .closeTimeout(Duration.ofMillis(200)).retry(RetryPolicy.linear(50, Duration.ofMillis(5)));
        return builder.handle(IMPORT, new Importer()).handle(ROW, ImportNode::row).open();
    }

    private static final class Importer implements TwoPhaseHandler<Import, Result> {

        /** Every fifth row is an import of one row, as long as it is not too deep. */
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
            return new Result(rows.stream().mapToInt(Integer::intValue).sum()
                    + imports.stream().mapToInt(Result::sum).sum(), rows.size() + imports.size());
        }
    }

    private static int row(int number, JobContext job) throws InterruptedException {
        dawdle(15);
        if (number % 7 == 0 && job.attempt() == 1) {
            throw JobException.transientFailure("at first");
        }
        return number;
    }

    /** Long enough for a kill to hit it. */
    private static void dawdle(int mostMillis) throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(mostMillis + 1));
    }
}
