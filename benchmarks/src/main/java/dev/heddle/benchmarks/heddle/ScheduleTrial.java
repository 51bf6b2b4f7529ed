package dev.heddle.benchmarks.heddle;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.heddle.benchmarks.Options;
import dev.heddle.benchmarks.contender.Database;
import dev.heddle.benchmarks.contender.HeddleStores;
import dev.heddle.benchmarks.contender.PostgresLocations;
import dev.heddle.benchmarks.contender.RecurringContender;
import dev.heddle.benchmarks.contender.StoreLocation;
import dev.heddle.benchmarks.contender.StoreLocations;
import dev.heddle.benchmarks.report.MachineInfo;
import dev.heddle.benchmarks.report.ServerInfo;
import dev.heddle.benchmarks.trial.Directories;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.schedule.Schedule;
import dev.heddle.testkit.PostgresServer;

/** Measures how late recurring jobs start, next to the peers, and what idle schedules cost. */
final class ScheduleTrial {

    private static final JobType<Void, Void> NEVER = JobType.of("never");

    private final Database database;
    private final StoreLocations places;
    private final Size size;
    private final CpuTime cpu;

    /**
     * The size of a run.
     *
     * @param due how many recurring jobs are due at once
     * @param period the seconds from one time to the next
     * @param times how many times are measured in a round
     */
    private record Size(int due, int period, int times, int rounds, int idle, Duration idleTime, int pairs) {
        static final Size FULL = new Size(1_000, 10, 2, 2, 100_000, Duration.ofSeconds(5), 5);
        static final Size SMOKE = new Size(10, 1, 1, 1, 100, Duration.ofMillis(100), 1);
    }

    private ScheduleTrial(Database database, StoreLocations places, Size size, CpuTime cpu) {
        this.database = database;
        this.places = places;
        this.size = size;
        this.cpu = cpu;
    }

    public static void main(String[] arguments) throws Exception {
        Options options = Options.parse(List.of(arguments));
        Path directory = Files.createTempDirectory("heddle-schedules");
        Size size = options.smoke() ? Size.SMOKE : Size.FULL;
        try {
            System.out.println(MachineInfo.here(directory).line());
            if (options.stores().has(Database.SQLITE)) {
                new ScheduleTrial(Database.SQLITE, StoreLocations.in(directory), size, new CpuTime(Optional.empty()))
                        .run(options);
            }
            if (options.stores().has(Database.POSTGRES)) {
                try (PostgresServer server = PostgresServer.start(PostgresServer.Version.V18)) {
                    System.out.println(ServerInfo.at(server.url()).line());
                    new ScheduleTrial(Database.POSTGRES, new PostgresLocations(server.url(), "schedules"), size,
                            new CpuTime(Optional.of(server))).run(options);
                }
            }
            System.out.println(MachineInfo.here(directory).line());
        } finally {
            Directories.delete(directory);
        }
    }

    private void run(Options options) throws Exception {
        lateness(options.smoke() ? RecurringContender.ALL.subList(0, 2) : RecurringContender.ALL);
        idle();
    }

    /** The rounds of the contenders alternate. */
    private void lateness(List<RecurringContender> contenders) throws Exception {
        Map<RecurringContender, List<Long>> late = new LinkedHashMap<>();
        for (int round = 0; round < size.rounds; round++) {
            for (RecurringContender contender : contenders) {
                StoreLocation place = places.at("late-" + contenders.indexOf(contender) + "-" + round);
                late.computeIfAbsent(contender, _ -> new ArrayList<>()).addAll(lateness(contender, place));
                places.drop(place);
            }
        }
        late.forEach((contender, millis) -> {
            millis.sort(null);
            System.out.printf("  %-10s %-32s %,d at once, %,d of %,d runs: p50 %,d ms, p99 %,d ms, most %,d ms%n",
                    database.label, contender.name(), size.due, millis.size(), size.due * size.times * size.rounds,
                    millis.get(millis.size() / 2), millis.get((int) Math.ceil(millis.size() * 0.99) - 1),
                    millis.getLast());
        });
    }

    /** Returns by how many milliseconds each run was late. The first times warm the product up. */
    private List<Long> lateness(RecurringContender contender, StoreLocation place) throws Exception {
        Queue<Long> starts = new ConcurrentLinkedQueue<>();
        Duration period = Duration.ofSeconds(size.period);
        try (AutoCloseable _ = contender.start(database, place, size.due, "*/" + size.period + " * * * * *",
                () -> starts.add(System.currentTimeMillis()))) {
            long first = (System.currentTimeMillis() / period.toMillis() + 2) * period.toMillis();
            long last = first + size.times * period.toMillis();
            sleepUntil(last);
            return new ArrayList<>(starts.stream().filter(start -> start >= first && start < last)
                    .map(start -> start % period.toMillis()).toList());
        }
    }

    private static void sleepUntil(long millis) throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(Math.max(0, millis - System.currentTimeMillis()));
    }

    private void idle() throws Exception {
        StoreLocation none = places.at("idle-none");
        StoreLocation many = places.at("idle-many");
        try (Pool pool = Pool.on(HeddleStores.at(database, many)).open()) {
            put(pool);
        }
        places.settle(many);
        double[] sum = new double[2];
        for (int i = 0; i < size.pairs; i++) {
            sum[i % 2] += share(i % 2 == 0 ? none : many);
            sum[1 - i % 2] += share(i % 2 == 0 ? many : none);
        }
        System.out.printf("  %-10s %,d idle schedules: %.2f%% of a core, %.2f%% without any (means of %d)%n",
                database.label, size.idle, 100 * sum[1] / size.pairs, 100 * sum[0] / size.pairs, size.pairs);
        places.drop(none);
        places.drop(many);
    }

    private void put(Pool pool) throws Exception {
        Instant last = Instant.now().plus(Duration.ofDays(3_000));
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            List<Future<?>> puts = new ArrayList<>();
            for (int i = 0; i < size.idle; i++) {
                String name = "idle-" + i;
                puts.add(threads.submit(() -> pool.schedules()
                        .put(Schedule.of(name, "every 365d", NEVER.withoutPayload()).until(last))));
            }
            for (Future<?> put : puts) {
                put.get();
            }
        }
    }

    /** Returns the share of a core that an open pool and its server take. */
    private double share(StoreLocation place) throws Exception {
        try (Pool _ = Pool.on(HeddleStores.at(database, place)).registerVoid(NEVER, (_, _) -> {}).open()) {
            Thread.sleep(size.idleTime.dividedBy(5));
            Duration before = cpu.now();
            long from = System.nanoTime();
            Thread.sleep(size.idleTime);
            return (double) cpu.now().minus(before).toNanos() / (System.nanoTime() - from);
        }
    }
}
