package dev.heddle.simulation;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.env.Environment;
import dev.heddle.job.JobId;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.pool.Staging;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/**
 * A node in a process of its own, with clients that submit jobs to it. It follows the words on its input, and ends with
 * it, so it never outlives the test.
 */
final class RealNode implements Host {

    static final Duration LEASE = Duration.ofSeconds(4);
    static final int WORKERS = 24;

    /** It has opened its pool. */
    static final String READY = "ready";
    /** Some of its jobs are acknowledged. */
    static final String BUSY = "busy";
    /** Word: submit no more. Repeated once that is true. */
    static final String CALM = "calm";
    /** Word: close and exit. */
    static final String CLOSE = "close";
    /** It is about to kill itself, at this time. */
    static final String DIES = "dies ";
    /** It stood still, for this long. */
    static final String STOOD_STILL = "stood still ";
    /** A thread ended by an exception. */
    static final String THREW = "threw ";

    private static final Duration PULSE = Duration.ofMillis(50);

    private final String name;
    private final ReportFile reports;
    private volatile @Nullable Store store;

    private RealNode(String name, ReportFile reports) {
        this.name = name;
        this.reports = reports;
    }

    /** Arguments: name, address of the store, file for reports, number of clients, seed, kinds of work. */
    public static void main(String[] args) throws Exception {
        System.setProperty("logback.configurationFile", "real-node.xml");
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            System.out.println(THREW + thread.getName() + ": " + e);
            e.printStackTrace();
        });
        Environment.system().start("pulse", RealNode::watchTime);
        List<Work> work = Arrays.stream(args).skip(5).map(Work::valueOf).toList();
        // Stays open: clients may still have something to tell after the pool has closed.
        RealNode node = new RealNode(args[0], ReportFile.open(Path.of(args[2])));
        try (Pool pool = node.open(args[1], work)) {
            System.out.println(READY);
            RealClient client = new RealClient(node, pool, work);
            Random random = new Random(Long.parseLong(args[4]));
            for (int i = 0; i < Integer.parseInt(args[3]); i++) {
                client.start(random.nextLong());
            }
            followInput(client);
        }
    }

    /** Tries until the pool is open, as a service manager would: connections may break meanwhile. */
    private Pool open(String address, List<Work> work) {
        while (true) {
            try {
                Store opened = RealStore.open(address);
                store = opened;
                return builder(opened, work).open();
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.UNREACHABLE && e.kind() != StoreException.Kind.OTHER) {
                    throw e;
                }
                System.out.println("cannot open yet: " + e.getMessage());
            }
        }
    }

    private PoolBuilder builder(Store opened, List<Work> work) {
        PoolBuilder builder = Pool.on(opened).workers(WORKERS).lease(LEASE).renewEvery(Duration.ofSeconds(1))
                .cancelGrace(Duration.ofMillis(300), Duration.ofMillis(700))
                .retry(RetryPolicy.linear(3, Duration.ofMillis(200))).staging(Staging.none()).maxCrashes(3)
                .closeTimeout(Duration.ofSeconds(2));
        work.forEach(each -> each.workload().register(builder, this));
        return builder;
    }

    private static void followInput(RealClient client) throws IOException, InterruptedException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String word = input.readLine(); !CLOSE.equals(word); word = input.readLine()) {
            if (!CALM.equals(word)) {
                // The test has ended.
                Runtime.getRuntime().halt(1);
            }
            client.stop();
            System.out.println(CALM);
        }
    }

    /** Prints if the process got no time for a good part of its lease, so that it may have noticed its end too late. */
    private static void watchTime() {
        long before = System.nanoTime();
        while (true) {
            LockSupport.parkNanos(PULSE.toNanos());
            long now = System.nanoTime();
            if (now - before > LEASE.toNanos() / 2) {
                System.out.println(STOOD_STILL + Duration.ofNanos(now - before));
            }
            before = now;
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public Environment env() {
        return Environment.system();
    }

    @Override
    public Store store() {
        return Objects.requireNonNull(store, "not open");
    }

    @Override
    public DetachedRuns runs() {
        throw new IllegalStateException("work that outlives its node is only simulated");
    }

    @Override
    public JobReader observer() {
        return PatientReader.of(store());
    }

    /** On Linux, all processes share the clock of {@link System#nanoTime}. */
    @Override
    public void report(JobId job, int attempt, Report.Event event) {
        reports.write(new Report(job, attempt, name, System.nanoTime(), event));
    }

    @Override
    public void die() {
        System.out.println(DIES + System.nanoTime());
        try {
            new ProcessBuilder("sh", "-c", "kill -KILL " + ProcessHandle.current().pid()).start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        while (true) {
            LockSupport.park();
        }
    }
}
