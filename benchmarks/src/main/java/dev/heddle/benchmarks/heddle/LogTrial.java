package dev.heddle.benchmarks.heddle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import dev.heddle.benchmarks.Options;
import dev.heddle.benchmarks.contender.Database;
import dev.heddle.benchmarks.contender.HeddleStores;
import dev.heddle.benchmarks.contender.PostgresLocations;
import dev.heddle.benchmarks.contender.StoreLocation;
import dev.heddle.benchmarks.contender.StoreLocations;
import dev.heddle.benchmarks.heddle.DrainSide.Drain;
import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.report.ServerInfo;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.testkit.PostgresServer;

/** Measures what logging costs: jobs that log three lines against jobs that log none. */
final class LogTrial {

    private static final int LINES = 3;
    private static final JobType<Integer, Void> JOB = JobType.of("log", Integer.class, Void.class);

    private final Database database;
    private final StoreLocations places;
    private final CpuTime cpu;
    private final boolean smoke;

    private LogTrial(Database database, StoreLocations places, CpuTime cpu, boolean smoke) {
        this.database = database;
        this.places = places;
        this.cpu = cpu;
        this.smoke = smoke;
    }

    /** A pool whose jobs take some time and log some lines. */
    private final class Side implements AutoCloseable {

        private final StoreLocation place;
        private final Pool pool;
        private volatile CountDownLatch left = new CountDownLatch(0);

        Side(String name, Duration work, int lines) throws Exception {
            place = places.at(name);
            pool = Pool.on(HeddleStores.at(database, place)).workers(4).registerVoid(JOB, (number, job) -> {
                for (int i = 0; i < lines; i++) {
                    job.log().info("Order {}: sent page {} of the invoice to the customer", number, i);
                }
                if (!work.isZero()) {
                    Thread.sleep(work);
                }
                left.countDown();
            }).open();
        }

        Drain drain(int count) throws InterruptedException, SQLException {
            pool.admin().pauseQueue(JobRequest.DEFAULT_QUEUE);
            left = new CountDownLatch(count);
            for (int first = 0; first < count; first += 1_000) {
                pool.submitAll(IntStream.range(first, Math.min(count, first + 1_000)).mapToObj(JOB::with).toList());
            }
            places.settle(place);
            Duration used = cpu.now();
            long from = System.nanoTime();
            pool.admin().resumeQueue(JobRequest.DEFAULT_QUEUE);
            if (!left.await(5, TimeUnit.MINUTES)) {
                throw new IllegalStateException(left.getCount() + " jobs have not run");
            }
            return new Drain(count / ((System.nanoTime() - from) / 1e9), cpu.now().minus(used).toNanos() / 1e3 / count);
        }

        @Override
        public void close() throws SQLException {
            pool.close();
            places.drop(place);
        }
    }

    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(List.of(arguments));
        Path directory = Files.createTempDirectory("heddle-logs");
        try {
            System.out.println(MachineInfo.here(directory).line());
            if (options.stores().has(Database.SQLITE)) {
                new LogTrial(Database.SQLITE, StoreLocations.in(directory), new CpuTime(Optional.empty()),
                        options.smoke()).run();
            }
            if (options.stores().has(Database.POSTGRES)) {
                try (PostgresServer server = PostgresServer.start(PostgresServer.Version.V18)) {
                    System.out.println(ServerInfo.at(server.url()).line());
                    new LogTrial(Database.POSTGRES, new PostgresLocations(server.url(), "logs"),
                            new CpuTime(Optional.of(server)), options.smoke()).run();
                }
            }
            System.out.println(MachineInfo.here(directory).line());
        } finally {
            Directories.delete(directory);
        }
    }

    private void run() throws Exception {
        print("jobs of 5 ms, the same twice", Duration.ofMillis(5), 0, smoke ? 40 : 2_000);
        print("jobs of 5 ms, 3 lines a job", Duration.ofMillis(5), LINES, smoke ? 40 : 2_000);
        print("no-op jobs, the same twice", Duration.ZERO, 0, smoke ? 100 : 20_000);
        print("no-op jobs, 3 lines a job", Duration.ZERO, LINES, smoke ? 100 : 20_000);
    }

    private void print(String title, Duration work, int lines, int count) throws Exception {
        int pairs = smoke ? 1 : 8;
        try (Side with = new Side("with", work, lines); Side without = new Side("without", work, 0)) {
            for (int i = 0; i < (smoke ? 1 : 3); i++) {
                with.drain(count);
                without.drain(count);
            }
            var measured = Pairs.measure(pairs, () -> with.drain(count), () -> without.drain(count));
            System.out.printf("  %-10s %-30s rate %s, processor time of a job %s; %d pairs%n", database.label, title,
                    Pairs.ratios(measured, Drain::rate), Pairs.ratios(measured, Drain::cpu), pairs);
        }
    }
}
