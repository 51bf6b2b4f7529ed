package dev.heddle.benchmarks;

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

import dev.heddle.benchmarks.Contender.Aim;

/**
 * One contender's turn in a fresh JVM: warm up, then submit, drain and start latency, each in an empty
 * place of its own so that none inherits the rows of another.
 *
 * <p>Two rules keep products with a poll interval comparable to those that wake at once. The drain is timed
 * from the first job's start, so that waiting for the first poll does not count against throughput. Start
 * latency is sampled at random {@linkplain Gaps moments}.
 */
final class Trial {

    private static final Duration LIMIT = Duration.ofMinutes(5);
    private static final int THREADS = 8;

    private final Contender contender;
    private final Plan plan;
    private final Places places;
    private final OptionalInt inFlight;

    Trial(Contender contender, Plan plan, Places places, OptionalInt inFlight) {
        this.contender = contender;
        this.plan = plan;
        this.places = places;
        this.inFlight = inFlight;
    }

    Figures run() throws Exception {
        if (plan.warmUp() > 0) {
            warmUp();
        }
        double one = submit("submit-1", 1, plan.submits());
        double eight = submit("submit-8", THREADS, plan.crowdSubmits());
        Drain drain = drain("drain", plan.jobs());
        Latency latency = latency();
        Latency outside = contender.database().hasServer() ? outside() : Latency.NONE;
        return new Figures(drain.rate(), drain.rateFromSwitch(), one, eight, drain.bulk(), latency, outside);
    }

    private void warmUp() throws Exception {
        submit("warm-up-submit-1", 1, plan.submits());
        submit("warm-up-submit-8", THREADS, plan.crowdSubmits());
        drain("warm-up-drain", plan.warmUp());
    }

    private double submit(String name, int threads, int jobs) throws Exception {
        return in(name, place -> {
            try (Session session = contender.open(place, Aim.SUBMITTING, new Probe(jobs))) {
                long from = Probe.now();
                submitFrom(session, threads, jobs);
                double submitted = rate(jobs, from, Probe.now());
                requireStored(session, jobs);
                return submitted;
            }
        });
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
        return in(name, place -> {
            try (Session session = contender.open(place, Aim.THROUGHPUT, probe)) {
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

    private static void requireStored(Session session, int jobs) {
        if (session.unfinished() != jobs) {
            throw new IllegalStateException(jobs + " jobs were submitted, and the store has "
                    + session.unfinished() + " to do");
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

    private Latency latency() throws Exception {
        int jobs = plan.latencies();
        Probe probe = new Probe(jobs + 1);
        return in("latency", place -> {
            try (Session session = contender.open(place, Aim.LATENCY, probe)) {
                session.startProcessing();
                session.submit(jobs);
                awaitIdle(session, probe, jobs, 1);
                long[] submitted = Gaps.submit(session, jobs, Probe::now);
                probe.awaitAll(LIMIT);
                return latency(submitted, probe);
            }
        });
    }

    private Latency outside() throws Exception {
        int jobs = plan.latencies();
        Probe probe = Probe.onWallClock(jobs + Outsider.FIRST);
        return in("outside", place -> {
            try (Session session = contender.open(place, Aim.LATENCY, probe)) {
                session.startProcessing();
                try (Outsider outsider = new Outsider(contender, inFlight, place, jobs)) {
                    awaitIdle(session, probe, jobs, Outsider.FIRST);
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

    /** A pool is idle once it has run something and has nothing left to do. */
    private static void awaitIdle(Session session, Probe probe, int first, int count) {
        long deadline = Probe.now() + LIMIT.toNanos();
        while (!IntStream.range(first, first + count).allMatch(probe::hasStarted)
                || session.unfinished() > 0) {
            if (Probe.now() > deadline) {
                throw new IllegalStateException("the first jobs of an idle pool never ran");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    /** Measures in a place that is there for this only. */
    private <T> T in(String name, Measurement<T> measurement) throws Exception {
        Place place = places.at(name);
        contender.prepare(place);
        T measured = measurement.in(place);
        places.drop(place);
        return measured;
    }

    private static double rate(int jobs, long from, long to) {
        return jobs / ((to - from) / 1e9);
    }

    private record Drain(double rate, double rateFromSwitch, double bulk) {}

    /** What happens in a place. */
    private interface Measurement<T> {
        T in(Place place) throws Exception;
    }
}
