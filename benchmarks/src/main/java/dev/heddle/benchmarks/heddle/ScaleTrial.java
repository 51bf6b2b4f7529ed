package dev.heddle.benchmarks.heddle;

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

import dev.heddle.benchmarks.contender.Database;
import dev.heddle.benchmarks.contender.HeddleStores;
import dev.heddle.benchmarks.contender.StoreLocation;
import dev.heddle.benchmarks.contender.StoreLocations;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import org.slf4j.LoggerFactory;

/** Runs a scenario of {@link Scale} in a child JVM. */
final class ScaleTrial {

    private static final JobType<Integer, Void> NO_OP = JobType.of("no-op", Integer.class, Void.class);
    private static final JobType<Integer, Void> FOREIGN = JobType.of("foreign", Integer.class, Void.class);
    private static final String MILLION = "million";

    private final Database database;
    private final StoreLocations places;
    private final Size size;

    ScaleTrial(Database database, StoreLocations places, Size size) {
        this.database = database;
        this.places = places;
        this.size = size;
    }

    /**
     * The sizes of the scenarios.
     *
     * @param million the number that the names of the scenarios call a million
     */
    record Size(int million, int unclaimable, int drained, int rounds) {

        static final Size FULL = new Size(1_000_000, 100_000, 100_000, 5);
        static final Size SMOKE = new Size(10_000, 1_000, 1_000, 1);
    }

    private PoolBuilder on(StoreLocation place, CountDownLatch left) {
        return Pool.on(HeddleStores.at(database, place)).register(NO_OP, (number, job) -> {
            left.countDown();
            return null;
        });
    }

    Map<String, Double> million() throws Exception {
        CountDownLatch left = new CountDownLatch(size.million());
        StoreLocation place = places.at(MILLION);
        try (Pool pool = on(place, left).open()) {
            pool.admin().pauseQueue(JobRequest.DEFAULT_QUEUE);
            long submitting = System.nanoTime();
            submit(pool, NO_OP, size.million(), 0, JobRequest.DEFAULT_QUEUE);
            long switched = System.nanoTime();
            pool.admin().resumeQueue(JobRequest.DEFAULT_QUEUE);
            awaitCompleted(pool, left);
            long ended = System.nanoTime();
            return Map.of("submitted/s in chunks of 1,000", rate(size.million(), submitting, switched),
                    "1,000,000 queued jobs drained/s", rate(size.million(), switched, ended), "peak heap MB",
                    peakHeap());
        }
    }

    Map<String, Double> besideEndedJobs() throws Exception {
        drainFresh("warm-up");
        StoreLocation million = places.at(MILLION);
        places.settle(million);
        List<Double> none = new ArrayList<>();
        List<Double> beside = new ArrayList<>();
        for (int round = 0; round < size.rounds(); round++) {
            none.add(drainFresh("none-" + round));
            beside.add(drain(million));
        }
        return Map.of("drained/s with no ended jobs", median(none), "drained/s with 1,000,000 ended jobs",
                median(beside), "ratio", median(beside) / median(none));
    }

    Map<String, Double> besideUnclaimableJobs() throws Exception {
        drainFresh("warm-up-2");
        List<Double> alone = new ArrayList<>();
        List<Double> foreign = new ArrayList<>();
        List<Double> paused = new ArrayList<>();
        for (int round = 0; round < size.rounds(); round++) {
            alone.add(drainFresh("alone-" + round));
            foreign.add(drainBeside("foreign-" + round, FOREIGN, JobRequest.DEFAULT_QUEUE));
            paused.add(drainBeside("paused-" + round, NO_OP, "paused"));
        }
        return Map.of("drained/s alone", median(alone), "drained/s beside 100,000 without a handler", median(foreign),
                "drained/s beside 100,000 in a paused queue", median(paused), "ratio without a handler",
                median(foreign) / median(alone), "ratio paused queue", median(paused) / median(alone));
    }

    private double drainFresh(String name) throws Exception {
        StoreLocation place = places.at(name);
        double drained = drain(place);
        places.drop(place);
        return drained;
    }

    /** Drains jobs next to jobs of higher priority that cannot be claimed. */
    private double drainBeside(String name, JobType<Integer, Void> type, String queue) throws Exception {
        StoreLocation place = places.at(name);
        try (Pool pool = Pool.on(HeddleStores.at(database, place)).open()) {
            pool.admin().pauseQueue("paused");
            submit(pool, type, size.unclaimable(), 9, queue);
        }
        double drained = drain(place);
        places.drop(place);
        return drained;
    }

    private double drain(StoreLocation place) throws Exception {
        CountDownLatch left = new CountDownLatch(size.drained());
        try (Pool pool = on(place, left).open()) {
            pool.admin().pauseQueue(JobRequest.DEFAULT_QUEUE);
            submit(pool, NO_OP, size.drained(), 0, JobRequest.DEFAULT_QUEUE);
            places.settle(place);
            long switched = System.nanoTime();
            pool.admin().resumeQueue(JobRequest.DEFAULT_QUEUE);
            awaitCompleted(pool, left);
            return rate(size.drained(), switched, System.nanoTime());
        }
    }

    private static void submit(Pool pool, JobType<Integer, Void> type, int jobs, int priority, String queue) {
        for (int first = 0; first < jobs; first += 1_000) {
            pool.submitAll(IntStream.range(first, first + 1_000)
                    .mapToObj(number -> type.with(number).priority(priority).queue(queue)).toList());
        }
    }

    /** Waits until all handlers have run and all completions are stored. */
    private static void awaitCompleted(Pool pool, CountDownLatch left) throws InterruptedException {
        left.await();
        while (pool.admin().countJobs()
                .count(line -> line.type().equals(NO_OP.name()) && !line.queue().equals("paused")) > 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    Map<String, Double> tenThousandWorkers() throws Exception {
        int workers = size.million() / 100;
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CountDownLatch left = new CountDownLatch(3 * workers);
        JobType<Integer, Void> sleep = JobType.of("sleep", Integer.class, Void.class);
        long started = System.nanoTime();
        try (Pool pool = Pool.on(HeddleStores.at(database, places.at("workers"))).workers(workers)
                .register(sleep, (number, job) -> {
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

    /** Returns the memory of a JVM with the logging API and the database driver, before Heddle is loaded. */
    static Map<String, Double> bare() throws SQLException, IOException {
        LoggerFactory.getLogger(ScaleTrial.class).debug("loaded");
        try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1");
            return memory();
        }
    }

    Map<String, Double> idle() throws Exception {
        try (Pool pool = on(places.at("idle"), new CountDownLatch(1)).open()) {
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
        return ManagementFactory.getMemoryPoolMXBeans().stream().filter(pool -> pool.getType() == MemoryType.HEAP)
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
