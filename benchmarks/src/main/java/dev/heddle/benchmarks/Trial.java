package dev.heddle.benchmarks;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.benchmarks.Contender.Aim;

/**
 * One contender's turn in a fresh JVM: warm up, then submit, drain and start latency, each on an empty
 * database of its own so that none inherits the rows of another.
 *
 * <p>Two rules keep products with a poll interval comparable to those that wake at once. The drain is timed
 * from the first job's start, so that waiting for the first poll does not count against throughput. Start
 * latency is sampled at random moments, each job submitted without waiting for the one before: a loop of
 * "submit, wait, submit" would fall into step with the poll and see only its worst or its best case. The
 * 200 jobs at 25 ms each also span the longest poll interval there is here, 5 s, just once.
 */
final class Trial {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int THREADS = 8;

    private final Contender contender;
    private final Plan plan;
    private final Path directory;

    Trial(Contender contender, Plan plan, Path directory) {
        this.contender = contender;
        this.plan = plan;
        this.directory = directory;
    }

    Figures run() throws Exception {
        warmUp();
        double one = submit("submit-1", 1, plan.submits());
        double eight = submit("submit-8", THREADS, plan.submits());
        Drain drain = drain("drain", plan.jobs());
        double[] latencies = latencies();
        return new Figures(drain.rate(), drain.rateFromSwitch(), one, eight, drain.bulk(),
                percentile(latencies, 0.50), percentile(latencies, 0.99));
    }

    private void warmUp() throws Exception {
        submit("warm-up-submit-1", 1, plan.submits());
        submit("warm-up-submit-8", THREADS, plan.submits());
        drain("warm-up-drain", plan.warmUp());
    }

    private double submit(String name, int threads, int jobs) throws Exception {
        try (Session session = open(name, Aim.THROUGHPUT, new Probe(jobs))) {
            long from = Probe.now();
            submitFrom(session, threads, jobs);
            return rate(jobs, from, Probe.now());
        }
    }

    private static void submitFrom(Session session, int threads, int jobs) throws Exception {
        try (ExecutorService pool = Executors.newFixedThreadPool(threads)) {
            List<Callable<Void>> shares = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int share = thread;
                shares.add(() -> {
                    for (int number = share; number < jobs; number += threads) {
                        session.submit(number);
                    }
                    return null;
                });
            }
            for (Future<Void> done : pool.invokeAll(shares)) {
                done.get();
            }
        }
    }

    private Drain drain(String name, int jobs) throws Exception {
        Probe probe = new Probe(jobs);
        try (Session session = open(name, Aim.THROUGHPUT, probe)) {
            long submitting = Probe.now();
            session.submitAll(0, jobs);
            long switched = Probe.now();
            session.startProcessing();
            probe.awaitAll(LIMIT);
            awaitStored(session);
            long ended = Probe.now();
            return new Drain(rate(jobs, probe.firstStart(), ended), rate(jobs, switched, ended),
                    rate(jobs, submitting, switched));
        }
    }

    /** A handler that has returned is not yet a completion on disk: ask the store. */
    private static void awaitStored(Session session) {
        long deadline = Probe.now() + LIMIT.toNanos();
        while (session.unfinished() > 0) {
            if (Probe.now() > deadline) {
                throw new IllegalStateException(
                        session.unfinished() + " jobs ran, and never completed in the store");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private double[] latencies() throws Exception {
        int jobs = plan.latencies();
        Probe probe = new Probe(jobs + 1);
        try (Session session = open("latency", Aim.LATENCY, probe)) {
            session.startProcessing();
            primeWith(session, jobs, probe);
            long[] submitted = new long[jobs];
            Random gaps = new Random(jobs);
            for (int number = 0; number < jobs; number++) {
                TimeUnit.MICROSECONDS.sleep(10_000 + gaps.nextInt(30_000));
                submitted[number] = Probe.now();
                session.submit(number);
            }
            probe.awaitAll(LIMIT);
            double[] millis = new double[jobs];
            Arrays.setAll(millis, number -> (probe.startOf(number) - submitted[number]) / 1e6);
            return millis;
        }
    }

    /** A pool is idle once it has run something and has nothing left to do. */
    private static void primeWith(Session session, int number, Probe probe) {
        session.submit(number);
        long deadline = Probe.now() + LIMIT.toNanos();
        while (!probe.hasStarted(number) || session.unfinished() > 0) {
            if (Probe.now() > deadline) {
                throw new IllegalStateException("the first job of an idle pool never ran");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private Session open(String name, Aim aim, Probe probe) throws Exception {
        return contender.open(Files.createDirectory(directory.resolve(name)), aim, probe);
    }

    private static double rate(int jobs, long from, long to) {
        return jobs / ((to - from) / 1e9);
    }

    /** The nearest rank, so that every answer is a latency that was seen. */
    private static double percentile(double[] millis, double share) {
        double[] sorted = millis.clone();
        Arrays.sort(sorted);
        return sorted[Math.max(0, (int) Math.ceil(share * sorted.length) - 1)];
    }

    private record Drain(double rate, double rateFromSwitch, double bulk) {}
}
