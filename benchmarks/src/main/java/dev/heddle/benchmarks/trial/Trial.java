package dev.heddle.benchmarks.trial;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

import dev.heddle.benchmarks.contender.Contender;
import dev.heddle.benchmarks.contender.Contender.Aim;
import dev.heddle.benchmarks.contender.ContenderSession;
import dev.heddle.benchmarks.contender.Probe;
import dev.heddle.benchmarks.contender.StoreLocation;
import dev.heddle.benchmarks.contender.StoreLocations;

/**
 * Measures one contender in a fresh JVM: warm-up, submit, drain and start latency. Each uses an empty location and
 * therefore inherits no rows.
 *
 * <p>Two rules make products that poll comparable with products that wake up at once. The time of a drain starts with
 * the first job, so waiting for the first poll does not count against the throughput. The start latency is sampled at
 * {@linkplain RandomArrivals random moments}.
 */
public final class Trial {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int THREADS = 8;

    private final Contender contender;
    private final TrialPlan plan;
    private final StoreLocations places;
    private final OptionalInt inFlight;

    public Trial(Contender contender, TrialPlan plan, StoreLocations places, OptionalInt inFlight) {
        this.contender = contender;
        this.plan = plan;
        this.places = places;
        this.inFlight = inFlight;
    }

    public TrialResult run() throws Exception {
        if (plan.warmUp() > 0) {
            warmUp();
        }
        double one = submit("submit-1", 1, plan.submits());
        double eight = submit("submit-8", THREADS, plan.crowdSubmits());
        Drain drain = drain("drain", plan.jobs());
        Latency latency = latency();
        Latency outside = contender.database().hasServer() ? outside() : Latency.NONE;
        return new TrialResult(drain.rate(), drain.rateFromSwitch(), one, eight, drain.bulk(), latency, outside);
    }

    private void warmUp() throws Exception {
        submit("warm-up-submit-1", 1, plan.submits());
        submit("warm-up-submit-8", THREADS, plan.crowdSubmits());
        drain("warm-up-drain", plan.warmUp());
    }

    private double submit(String name, int threads, int jobs) throws Exception {
        return in(name, place -> {
            try (ContenderSession session = contender.open(place, Aim.SUBMITTING, new Probe(jobs))) {
                long from = Probe.now();
                submitFrom(session, threads, jobs);
                double submitted = rate(jobs, from, Probe.now());
                requireStored(session, jobs);
                return submitted;
            }
        });
    }

    private static void submitFrom(ContenderSession session, int threads, int jobs) throws Exception {
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
        return in(name, place -> {
            try (ContenderSession session = contender.open(place, Aim.THROUGHPUT, probe)) {
                long submitting = Probe.now();
                session.submitAll(0, jobs);
                double bulk = rate(jobs, submitting, Probe.now());
                requireStored(session, jobs);
                places.settle(place);
                long switched = Probe.now();
                session.startProcessing();
                probe.awaitAll(LIMIT);
                awaitStored(session);
                long ended = Probe.now();
                return new Drain(rate(jobs, probe.firstStart(), ended), rate(jobs, switched, ended), bulk);
            }
        });
    }

    private static void requireStored(ContenderSession session, int jobs) {
        if (session.unfinished() != jobs) {
            throw new IllegalStateException(
                    jobs + " jobs were submitted, and the store has " + session.unfinished() + " to do");
        }
    }

    /** Asks the store, because the end of a handler is not yet a stored completion. */
    private static void awaitStored(ContenderSession session) {
        long deadline = Probe.now() + LIMIT.toNanos();
        while (session.unfinished() > 0) {
            if (Probe.now() > deadline) {
                throw new IllegalStateException(session.unfinished() + " jobs ran, and never completed in the store");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private Latency latency() throws Exception {
        int jobs = plan.latencies();
        Probe probe = new Probe(jobs + 1);
        return in("latency", place -> {
            try (ContenderSession session = contender.open(place, Aim.LATENCY, probe)) {
                session.startProcessing();
                session.submit(jobs);
                awaitIdle(session, probe, jobs, 1);
                long[] submitted = RandomArrivals.submit(session, jobs, Probe::now);
                probe.awaitAll(LIMIT);
                return latency(submitted, probe);
            }
        });
    }

    private Latency outside() throws Exception {
        int jobs = plan.latencies();
        Probe probe = Probe.onWallClock(jobs + ExternalSubmitter.FIRST);
        return in("outside", place -> {
            try (ContenderSession session = contender.open(place, Aim.LATENCY, probe)) {
                session.startProcessing();
                try (ExternalSubmitter outsider = new ExternalSubmitter(contender, inFlight, place, jobs)) {
                    awaitIdle(session, probe, jobs, ExternalSubmitter.FIRST);
                    long[] submitted = outsider.submit();
                    probe.awaitAll(LIMIT);
                    return latency(submitted, probe);
                }
            }
        });
    }

    private static Latency latency(long[] submitted, Probe probe) {
        double[] millis = new double[submitted.length];
        Arrays.setAll(millis, number -> (probe.startOf(number) - submitted[number]) / 1e6);
        return Latency.of(millis);
    }

    /** Waits until the pool has run a first job and is idle again. */
    private static void awaitIdle(ContenderSession session, Probe probe, int first, int count) {
        long deadline = Probe.now() + LIMIT.toNanos();
        while (!IntStream.range(first, first + count).allMatch(probe::hasStarted) || session.unfinished() > 0) {
            if (Probe.now() > deadline) {
                throw new IllegalStateException("the first jobs of an idle pool never ran");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Measures in a new location and drops it. */
    private <T> T in(String name, Measurement<T> measurement) throws Exception {
        StoreLocation place = places.at(name);
        contender.prepare(place);
        T measured = measurement.in(place);
        places.drop(place);
        return measured;
    }

    private static double rate(int jobs, long from, long to) {
        return jobs / ((to - from) / 1e9);
    }

    private record Drain(double rate, double rateFromSwitch, double bulk) {}

    /** A measurement in a location. */
    private interface Measurement<T> {
        T in(StoreLocation place) throws Exception;
    }
}
