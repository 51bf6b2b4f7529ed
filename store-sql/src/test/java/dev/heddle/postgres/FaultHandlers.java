package dev.heddle.postgres;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobHandler;
import dev.heddle.job.JobType;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.postgres.FaultLog.Kind;
import dev.heddle.postgres.FaultLog.Line;
import org.slf4j.MDC;

/** The handlers of a {@link FaultTest}. All log what they do, and return the node that did it. */
final class FaultHandlers {

    /** Longer than a lease: a job on a live node must not be taken over even then. */
    static final Duration LONG_TIME = FaultNode.LEASE.plusSeconds(1);

    record Work(int number) {}

    record Done(String node, int attempt) {}

    static final JobType<Work, Done> SHORT = type("short");
    static final JobType<Work, Done> FLAKY = type("flaky");
    static final JobType<Work, Done> STEPS = type("steps");
    static final JobType<Work, Done> LONG = type("long");
    /** Ignores cancellation and interrupts, and always returns a result, however late. */
    static final JobType<Work, Done> STUBBORN = type("stubborn");
    static final JobType<Work, Done> CAREFUL = type("careful").nonIdempotent();
    static final JobType<Work, Done> DOOMED = type("doomed");
    /** Submitted after the faults. The number is its duration in milliseconds. */
    static final JobType<Work, Done> FRESH = type("fresh");

    private final FaultLog log;
    private final CountDownLatch fresh = new CountDownLatch(1);

    FaultHandlers(FaultLog log) {
        this.log = log;
    }

    private static JobType<Work, Done> type(String name) {
        return JobType.of(name, Work.class, Done.class);
    }

    PoolBuilder addTo(PoolBuilder pool) {
        return pool.register(SHORT, logged(SHORT, (work, job) -> job.sleep(Duration.ofMillis(work.number()))))
                .register(FLAKY, logged(FLAKY, FaultHandlers::fail)).register(STEPS, logged(STEPS, this::steps))
                .register(LONG, logged(LONG, this::takeLong))
                .register(STUBBORN, logged(STUBBORN, (_, _) -> ignoreEverything()))
                .register(CAREFUL, logged(CAREFUL, (work, job) -> job.sleep(Duration.ofMillis(work.number()))))
                .register(DOOMED, logged(DOOMED, (_, _) -> {
                    throw JobException.permanent("never");
                })).register(FRESH, logged(FRESH, (work, job) -> {
                    fresh.countDown();
                    job.sleep(Duration.ofMillis(work.number()));
                }));
    }

    /** Waits until a {@link #FRESH} job has started on this node. */
    boolean ranFresh(Duration atMost) throws InterruptedException {
        return fresh.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    private interface Body {
        void run(Work work, JobContext job) throws Exception;
    }

    private JobHandler<Work, Done> logged(JobType<Work, Done> type, Body body) {
        return (work, job) -> {
            write(Kind.START, job, type.name());
            try {
                body.run(work, job);
                write(Kind.RESULT, job, type.name());
                return new Done(node(), job.attempt());
            } finally {
                write(Kind.END, job, type.name());
            }
        };
    }

    /** Returns the first name of the node, with which the names of its workers begin. */
    private static String node() {
        return MDC.get("heddle.worker").split("/", -1)[0];
    }

    private void write(Kind kind, JobContext job, String detail) {
        log.write(new Line(kind, job.id().toString(), job.attempt(), node(), detail));
    }

    private static void fail(Work work, JobContext job) {
        if (job.attempt() <= work.number() % 3) {
            throw JobException.transientFailure("attempt " + job.attempt());
        }
    }

    private void steps(Work work, JobContext job) throws Exception {
        for (int i = 0; i < 3; i++) {
            step(job, "s" + i, Duration.ofMillis(work.number()));
            if (i == 1 && work.number() % 4 == 0 && job.attempt() == 1) {
                throw JobException.transientFailure("after the second step");
            }
        }
    }

    private void takeLong(Work work, JobContext job) throws Exception {
        step(job, "before", Duration.ofMillis(work.number()));
        job.sleep(LONG_TIME);
        step(job, "after", Duration.ofMillis(work.number()));
    }

    private void step(JobContext job, String name, Duration length) throws Exception {
        job.step(name, () -> {
            write(Kind.RUN, job, name);
            job.sleep(length);
        });
        write(Kind.DONE, job, name);
    }

    private static void ignoreEverything() {
        long until = System.nanoTime() + LONG_TIME.toNanos();
        for (long left = LONG_TIME.toNanos(); left > 0; left = until - System.nanoTime()) {
            LockSupport.parkNanos(left);
            // Clears the interrupt, or the thread could not park again.
            Thread.interrupted();
        }
    }
}
