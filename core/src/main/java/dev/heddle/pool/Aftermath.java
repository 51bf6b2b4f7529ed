package dev.heddle.pool;

import java.time.Duration;
import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.pool.Arrivals.Arrival;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.NewJob;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** What follows the commit of an ended attempt: counts, logs, who waits, who listens, room for the next claim. */
final class Aftermath {

    private static final Logger LOG = LoggerFactory.getLogger("dev.heddle.jobs");

    private final Registry registry;
    private final Meter meter;
    private final Waiters waiters;
    private final Observers observers;
    private final List<JobListener> listeners;
    private final Demand demand;
    private final Arrivals arrivals;
    private final InFlight inFlight;
    private volatile @Nullable Departures departures;

    Aftermath(Registry registry, Meter meter, Waiters waiters, Observers observers,
            List<JobListener> listeners, Demand demand, InFlight inFlight) {
        this.registry = registry;
        this.meter = meter;
        this.waiters = waiters;
        this.observers = observers;
        this.listeners = listeners;
        this.demand = demand;
        this.arrivals = new Arrivals(registry, meter, observers, demand);
        this.inFlight = inFlight;
    }

    /** From here on everything that ends is counted. */
    Departures count() {
        Departures counted = new Departures();
        departures = counted;
        return counted;
    }

    /** Whether somebody has to be told on the worker's own thread, which then waits for the commit. */
    boolean isAwaited(Ending ending) {
        return !listeners.isEmpty() || ending.transition() instanceof Transition.Die;
    }

    void handedBack(Claim claim, Verdict verdict) {
        if (verdict == Verdict.APPLIED) {
            meter.queued(1);
        }
        Departures counted = departures;
        if (counted != null) {
            counted.handedBack(verdict);
        }
        inFlight.settled(claim);
    }

    /** Nobody here sees to it any more, and its work goes on: nothing is written, and the store keeps it for its machine. */
    void left(Claim claim, String reason) {
        LOG.atInfo().addKeyValue("job", claim.job().id()).addKeyValue("type", claim.job().type())
                .log("Job {} is left to go on by itself: {}", claim.job().id(), reason);
        Departures counted = departures;
        if (counted != null) {
            counted.left();
        }
        inFlight.left(claim);
    }

    /** As {@link #handedBack}, where the node would run it as soon as it can. */
    void givenBack(Claim claim, Verdict verdict, Runnable then) {
        handedBack(claim, verdict);
        then.run();
        demand.work();
    }

    /** On the ledger's thread or the worker's, right after the commit. */
    void ended(Ending ending, Verdict verdict) {
        AttemptRun run = ending.run();
        meter.ran(run.job().type(), ending.nanos());
        switch (verdict) {
            case APPLIED, REPEATED -> applied(ending);
            case CANCELLED -> {
                observers.tell(() -> event(ending, ending.cancelledJob(), Attempt.End.CANCELLED));
                LOG.atInfo().addKeyValue("job", run.job().id()).addKeyValue("type", run.job().type())
                        .log("Job {} had been cancelled; what its attempt did is ignored", run.job().id());
            }
            case LOST -> LOG.atWarn().addKeyValue("job", run.job().id()).addKeyValue("type", run.job().type())
                    .addKeyValue("attempt", run.fence().attempt())
                    .log("Result of job {} dropped: the job is no longer this attempt's", run.job().id());
        }
        Departures counted = departures;
        if (counted != null) {
            counted.ended(ending, verdict);
        }
        inFlight.settled(run.claim());
    }

    private static PoolEvent event(Ending ending, Job job, Attempt.End end) {
        return new PoolEvent.Ended(job, ending.run().worker().id(), end, Duration.ofNanos(ending.nanos()),
                ending.execution().failure());
    }

    private void applied(Ending ending) {
        observers.tell(() -> event(ending, ending.job(), ending.execution().end()));
        switch (ending.transition()) {
            case Transition.Complete _ -> {
                meter.completed();
                log(Level.DEBUG, ending, "Completed");
            }
            case Transition.Wait(String reason) -> {
                log(Level.INFO, ending, reason);
                came(ending.run().children().orElseThrow());
            }
            case Transition.Retry(_, String reason) -> {
                meter.failed(false);
                demand.work();
                log(Level.WARN, ending, reason);
            }
            case Transition.Die(String reason) -> {
                meter.failed(true);
                log(Level.ERROR, ending, reason);
            }
            case Transition.Cancel(String reason) -> log(Level.INFO, ending, "Cancelled: " + reason);
            case Transition.Requeue(String reason) -> {
                meter.queued(1);
                demand.work();
                log(Level.INFO, ending, "Back to the queue: " + reason);
            }
        }
        if (!ending.sequel().isEmpty()) {
            came(ending.sequel());
        }
        if (ending.transition().target().isFinal()) {
            waiters.ended(ending.job());
        }
    }

    private void came(List<NewJob> jobs) {
        arrivals.came(jobs.size(), jobs.stream().map(NewJob::spec)
                .map(spec -> new Arrival(spec.id(), spec.type(), spec.queue())).toList());
    }

    private static void log(Level level, Ending ending, String what) {
        if (LOG.isEnabledForLevel(level)) {
            Job job = ending.run().job();
            Failure failure = ending.execution().failure();
            var event = LOG.atLevel(level).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                    .addKeyValue("attempt", job.counts().attempt())
                    .addKeyValue("worker", ending.run().worker().id())
                    .addKeyValue("durationMs", ending.nanos() / 1_000_000);
            if (failure != null) {
                event = event.addKeyValue("error", failure.message());
            }
            event.log("{} | job:{}", what, job.id());
        }
    }

    /** On the worker's thread, after the commit. */
    void tell(Ending ending, Verdict verdict) {
        if (verdict != Verdict.APPLIED && verdict != Verdict.REPEATED) {
            return;
        }
        Job job = ending.job();
        for (JobListener listener : listeners) {
            guarded("Listener", job, () -> tell(listener, job, ending));
        }
        if (job.state() == JobState.FAILED) {
            mourn(job);
        }
    }

    private static void tell(JobListener listener, Job job, Ending ending) {
        Failure failure = ending.execution().failure();
        if (failure != null) {
            listener.onFailed(job, failure);
        } else if (job.state() == JobState.COMPLETED) {
            listener.onCompleted(job, job.status().result());
        }
    }

    /** Runs the failure hook of the job's handler, once the job is dead. */
    void mourn(Job job) {
        Registration<?, ?> registration = registry.find(job.type());
        if (registration != null) {
            guarded("Failure hook", job, () -> registration.handling().onDead(job));
        }
    }

    private static void guarded(String who, Job job, Runnable action) {
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                    .log("{} failed for job {}; the job is not affected", who, job.id());
        }
    }
}
