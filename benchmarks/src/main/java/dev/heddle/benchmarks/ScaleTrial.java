package dev.heddle.benchmarks;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.sqlite.SqliteStore;
import org.slf4j.LoggerFactory;

/** The scenarios of {@link Scale}, as the child runs them. */
final class ScaleTrial {

    private static final JobType<Integer, Void> NO_OP = JobType.of("no-op", Integer.class, Void.class);
    private static final JobType<Integer, Void> FOREIGN = JobType.of("foreign", Integer.class, Void.class);
    private static final int MILLION = 1_000_000;
    private static final int UNCLAIMABLE = 100_000;
    private static final int DRAINED = 100_000;
    private static final int ROUNDS = 5;

    private final Path directory;

    ScaleTrial(Path directory) {
        this.directory = directory;
    }

    private static PoolBuilder on(Path database, CountDownLatch left) {
        return Pool.on(SqliteStore.at(database)).handle(NO_OP, (number, job) -> {
            left.countDown();
            return null;
        });
    }

    private Path database(String name) {
        return directory.resolve(name + ".db");
    }

    Map<String, Double> million() throws InterruptedException {
        CountDownLatch left = new CountDownLatch(MILLION);
        try (Pool pool = on(database("million"), left).open()) {
            pool.pauseQueue(JobRequest.DEFAULT_QUEUE);
            long submitting = System.nanoTime();
            submit(pool, NO_OP, MILLION, 0, JobRequest.DEFAULT_QUEUE);
            long switched = System.nanoTime();
            pool.resumeQueue(JobRequest.DEFAULT_QUEUE);
            awaitCompleted(pool, left);
            long ended = System.nanoTime();
            return Map.of("submitted/s in chunks of 1,000", rate(MILLION, submitting, switched),
                    "1,000,000 queued jobs drained/s", rate(MILLION, switched, ended), "peak heap MB",
                    peakHeap());
        }
    }

    Map<String, Double> besideEndedJobs() throws InterruptedException {
        drain(database("warm-up"));
        List<Double> none = new ArrayList<>();
        List<Double> million = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            none.add(drain(database("none-" + round)));
            million.add(drain(database("million")));
        }
        return Map.of("drained/s with no ended jobs", median(none), "drained/s with 1,000,000 ended jobs",
                median(million),
                "ratio", median(million) / median(none));
    }

    Map<String, Double> besideUnclaimableJobs() throws InterruptedException {
        drain(database("warm-up-2"));
        List<Double> alone = new ArrayList<>();
        List<Double> foreign = new ArrayList<>();
        List<Double> paused = new ArrayList<>();
        for (int round = 0; round < ROUNDS; round++) {
            alone.add(drain(database("alone-" + round)));
            foreign.add(drain(beside("foreign-" + round, FOREIGN, JobRequest.DEFAULT_QUEUE)));
            paused.add(drain(beside("paused-" + round, NO_OP, "paused")));
        }
        return Map.of("drained/s alone", median(alone), "drained/s beside 100,000 without a handler",
                median(foreign),
                "drained/s beside 100,000 in a paused queue", median(paused), "ratio without a handler",
                median(foreign) / median(alone), "ratio paused queue", median(paused) / median(alone));
    }

    /** A database with jobs of higher priority that cannot be claimed. */
    private Path beside(String name, JobType<Integer, Void> type, String queue) {
        Path database = database(name);
        try (Pool pool = Pool.on(SqliteStore.at(database)).open()) {
            pool.pauseQueue("paused");
            submit(pool, type, UNCLAIMABLE, 9, queue);
        }
        return database;
    }

    private static double drain(Path database) throws InterruptedException {
        CountDownLatch left = new CountDownLatch(DRAINED);
        try (Pool pool = on(database, left).open()) {
            pool.pauseQueue(JobRequest.DEFAULT_QUEUE);
            submit(pool, NO_OP, DRAINED, 0, JobRequest.DEFAULT_QUEUE);
            long switched = System.nanoTime();
            pool.resumeQueue(JobRequest.DEFAULT_QUEUE);
            awaitCompleted(pool, left);
            return rate(DRAINED, switched, System.nanoTime());
        }
    }

    private static void submit(Pool pool, JobType<Integer, Void> type, int jobs, int priority, String queue) {
        for (int first = 0; first < jobs; first += 1_000) {
            pool.submitAll(IntStream.range(first, first + 1_000)
                    .mapToObj(number -> type.with(number).priority(priority).queue(queue)).toList());
        }
    }

    /** All handlers have run, and then all of it is in the store. */
    private static void awaitCompleted(Pool pool, CountDownLatch left) throws InterruptedException {
        left.await();
        while (pool.tally()
                .count(line -> line.type().equals(NO_OP.name()) && !line.queue().equals("paused")) > 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    Map<String, Double> tenThousandWorkers() throws InterruptedException {
        int workers = 10_000;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch left = new CountDownLatch(3 * workers);
        JobType<Integer, Void> sleep = JobType.of("sleep", Integer.class, Void.class);
        long started = System.nanoTime();
        try (Pool pool = Pool.on(SqliteStore.at(database("workers"))).workers(workers)
                .handle(sleep, (number, job) -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    Thread.sleep(Duration.ofSeconds(2));
                    running.decrementAndGet();
                    left.countDown();
                    return null;
                }).open()) {
            submit(pool, sleep, 3 * workers, 0, JobRequest.DEFAULT_QUEUE);
            awaitCompleted(pool, left);
        }
        return Map.of("workers", (double) workers, "most jobs at once", (double) most.get(), "jobs of 2 s",
                3.0 * workers, "seconds", (System.nanoTime() - started) / 1e9, "peak heap MB", peakHeap());
    }

    /** What a JVM with the logging API and the database driver takes before Heddle. */
    static Map<String, Double> bare() throws SQLException, IOException {
        LoggerFactory.getLogger(ScaleTrial.class).debug("loaded");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            return memory();
        }
    }

    Map<String, Double> idle() throws Exception {
        try (Pool pool = on(database("idle"), new CountDownLatch(1)).open()) {
            pool.submit(NO_OP, 1).await(Duration.ofSeconds(30));
            return memory();
        }
    }

    private static Map<String, Double> memory() throws IOException {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        double heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e6;
        double resident = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:")).map(line -> line.replaceAll("[^0-9]", ""))
                .mapToDouble(Double::parseDouble).sum() / 1e3;
        return Map.of("heap in use MB", heap, "resident MB", resident);
    }

    private static double peakHeap() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP)
                .map(MemoryPoolMXBean::getPeakUsage).mapToLong(usage -> usage.getUsed()).sum() / 1e6;
    }

    private static double rate(int jobs, long from, long to) {
        return jobs / ((to - from) / 1e9);
    }

    private static double median(List<Double> values) {
        List<Double> sorted = new ArrayList<>(values);
        Collections.sort(sorted);
        return sorted.get(sorted.size() / 2);
    }
}
