package dev.heddle.sqlite;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobType;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;

/**
 * A mixed load that logs what the store has acknowledged. A line is appended after the acknowledgement, so the store
 * must remember everything in the log. Runs until it is killed. If it is started to drain, it runs until no job is
 * left.
 */
final class KillWorkload {

    record Work(int size) {}

    static final JobType<Work, Integer> PLAIN = JobType.of("plain", Work.class, Integer.class);
    static final JobType<Work, Integer> FLAKY = JobType.of("flaky", Work.class, Integer.class);
    static final JobType<Work, Integer> STEPS = JobType.of("steps", Work.class, Integer.class);
    static final JobType<Work, Integer> ITEMS = JobType.of("items", Work.class, Integer.class);
    static final JobType<Work, Integer> ONCE = JobType.of("careful", Work.class, Integer.class).nonIdempotent();

    private static final List<JobType<Work, Integer>> TYPES = List.of(PLAIN, PLAIN, FLAKY, STEPS, ITEMS, ONCE);

    /** The number of acknowledgements after which it prints that it is busy. */
    private static final int BUSY_AFTER = 20;

    private final AtomicInteger acknowledged = new AtomicInteger();
    private final OutputStream log;

    private KillWorkload(OutputStream log) {
        this.log = log;
    }

    /** Arguments: database, log file, seed, {@code load} or {@code drain}. */
    public static void main(String[] args) throws Exception {
        Path database = Path.of(args[0]);
        try (OutputStream log = Files.newOutputStream(Path.of(args[1]), StandardOpenOption.CREATE,
                StandardOpenOption.APPEND)) {
            KillWorkload workload = new KillWorkload(log);
            try (Pool pool = workload.open(database)) {
                System.out.println("READY");
                if (args[3].equals("drain")) {
                    boolean idle = pool.awaitIdle(Duration.ofMinutes(2));
                    System.out.println(idle ? "DRAINED" : "STUCK " + pool.admin().countJobs());
                } else {
                    workload.load(pool, new Random(Long.parseLong(args[2])));
                }
            }
        }
    }

    private Pool open(Path database) {
        return Pool.on(SqliteStore.at(database)).workers(8).maxCrashes(1_000)
                .retry(RetryPolicy.linear(20, Duration.ZERO)).register(PLAIN, (work, job) -> work.size())
                .register(FLAKY, this::fail).register(STEPS, this::steps).register(ITEMS, this::items)
                .register(ONCE, (work, job) -> work.size()).open();
    }

    private int fail(Work work, JobContext job) {
        if (job.attempt() <= work.size() % 4) {
            throw JobException.transientFailure("attempt " + job.attempt());
        }
        return work.size();
    }

    private int steps(Work work, JobContext job) throws Exception {
        int sum = 0;
        for (int i = 0; i < 4; i++) {
            String name = "s" + i;
            sum += job.step(name, Integer.class, () -> {
                write("run " + job.id() + " " + name);
                return 1;
            });
            write("done " + job.id() + " " + name);
        }
        return sum;
    }

    private int items(Work work, JobContext job) {
        int from = job.checkpoint(Integer.class).orElse(0);
        write("from " + job.id() + " " + from);
        for (int i = from + 1; i <= 5; i++) {
            job.saveCheckpoint(i);
            write("saved " + job.id() + " " + i);
        }
        return work.size();
    }

    private void load(Pool pool, Random random) throws InterruptedException {
        for (int thread = 0; thread < 3; thread++) {
            long seed = random.nextLong();
            Thread.ofPlatform().daemon().start(() -> submit(pool, new Random(seed)));
        }
        TimeUnit.MINUTES.sleep(5);
    }

    private void submit(Pool pool, Random random) {
        while (true) {
            JobType<Work, Integer> type = TYPES.get(random.nextInt(TYPES.size()));
            JobId id = pool.submit(type.with(new Work(random.nextInt(100))).priority(random.nextInt(3))).id();
            write("ack " + id + " " + type.name());
            if (acknowledged.incrementAndGet() == BUSY_AFTER) {
                System.out.println("BUSY");
            }
        }
    }

    private void write(String line) {
        try {
            synchronized (log) {
                log.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
