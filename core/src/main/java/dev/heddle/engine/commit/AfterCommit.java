package dev.heddle.engine.commit;

import java.time.Duration;
import java.util.List;

import dev.heddle.engine.dispatch.ClaimsInFlight;
import dev.heddle.engine.dispatch.Demand;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.submit.AfterSubmit;
import dev.heddle.engine.support.EventPublisher;
import dev.heddle.engine.support.PoolCounters;
import dev.heddle.engine.support.UserCode;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.pool.JobListener;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Runs after the end of an attempt is committed: counts and logs it, completes waiters, calls listeners, and makes
 * room for the next claim.
 */
public final class AfterCommit {

    private static final Logger LOG = LoggerFactory.getLogger("dev.heddle.jobs");

    private final AfterSubmit afterSubmit;
    private final HandlerRegistry registry;
    private final PoolCounters counters;
    private final EventPublisher events;
    private final Demand demand;
    private final PendingFutures waiters;
    private final List<JobListener> listeners;
    private final ClaimsInFlight inFlight;
    private final AttemptRecorder recorder;
    private volatile @Nullable ClosingCounts closingCounts;

    /**
     * Creates the follow-up of one node's commits.
     *
     * @param afterSubmit runs for the sequels and children that are committed together with an end
     */
    public AfterCommit(AfterSubmit afterSubmit, PendingFutures waiters, List<JobListener> listeners,
            ClaimsInFlight inFlight, AttemptRecorder recorder) {
        this.afterSubmit = afterSubmit;
        this.registry = afterSubmit.registry();
        this.counters = afterSubmit.counters();
        this.events = afterSubmit.events();
        this.demand = afterSubmit.demand();
        this.waiters = waiters;
        this.listeners = listeners;
        this.inFlight = inFlight;
        this.recorder = recorder;
    }

    /** Counts all ends from now on, for the report of a closing pool. */
    public ClosingCounts startCounting() {
        ClosingCounts counts = new ClosingCounts();
        closingCounts = counts;
        return counts;
    }

    /**
     * Returns whether this end must be reported to listeners or a failure hook. If so, the worker's thread waits for
     * the commit and reports it.
     */
    public boolean hasListeners(AttemptEnd end) {
        return !listeners.isEmpty() || end.transition() instanceof Transition.Fail;
    }

    /** Runs after a claim is released unstarted. */
    public void released(Claim claim, Verdict verdict) {
        if (verdict == Verdict.APPLIED) {
            counters.addQueued(1);
        }
        ClosingCounts counts = closingCounts;
        if (counts != null) {
            counts.released(verdict);
        }
        inFlight.settle(claim);
    }

    /**
     * Forgets an attempt whose work goes on without this node. Nothing is written: the store keeps the attempt
     * reserved for its machine.
     */
    public void detached(Claim claim, String reason) {
        LOG.atInfo().addKeyValue("job", claim.job().id()).addKeyValue("type", claim.job().type())
                .log("Job {} continues without this node: {}", claim.job().id(), reason);
        ClosingCounts counts = closingCounts;
        if (counts != null) {
            counts.detached();
        }
        inFlight.detach(claim);
    }

    /** Does the same as {@link #released} for a claim that this node may claim again at once. */
    public void releasedForReclaim(Claim claim, Verdict verdict, Runnable then) {
        released(claim, verdict);
        then.run();
        demand.workAvailable();
    }

    /** Runs right after the commit, on the ledger's thread or the worker's. */
    public void ended(AttemptEnd end, Verdict verdict) {
        AttemptFacts run = end.run();
        counters.attemptRan(run.job().type(), end.nanos());
        switch (verdict) {
            case APPLIED, REPEATED -> {
                recorder.ended(end);
                applied(end);
            }
            case CANCELLED -> {
                events.publish(() -> event(end, end.cancelledJob(), Attempt.End.CANCELLED));
                LOG.atInfo().addKeyValue("job", run.job().id()).addKeyValue("type", run.job().type())
                        .log("Job {} was cancelled; the result of its attempt is ignored", run.job().id());
            }
            case LOST -> LOG.atWarn().addKeyValue("job", run.job().id()).addKeyValue("type", run.job().type())
                    .addKeyValue("attempt", run.fence().attempt())
                    .log("Dropped the result of job {}: the job no longer belongs to this attempt", run.job().id());
        }
        ClosingCounts counts = closingCounts;
        if (counts != null) {
            counts.ended(end, verdict);
        }
        inFlight.settle(run.claim());
        if (!run.job().spec().limits().isEmpty() || !run.job().spec().dedupe().isDefault()) {
            demand.workAvailable(); // a slot or a key is free
        }
    }

    private static PoolEvent event(AttemptEnd end, Job job, Attempt.End result) {
        return new PoolEvent.Ended(job, end.run().workerId(), result, Duration.ofNanos(end.nanos()),
                end.execution().failure());
    }

    private void applied(AttemptEnd end) {
        events.publish(() -> event(end, end.job(), end.execution().end()));
        switch (end.transition()) {
            case Transition.Complete _ -> {
                counters.completed();
                log(Level.DEBUG, end, "Completed");
            }
            case Transition.Wait(String reason) -> {
                log(Level.INFO, end, reason);
                afterSubmit.committed(end.run().children().orElseThrow());
            }
            case Transition.Retry(_, String reason) -> {
                counters.failed(false);
                demand.workAvailable();
                log(Level.WARN, end, reason);
            }
            case Transition.Reschedule _ -> {
                demand.workAvailable();
                log(Level.DEBUG, end, "Rescheduled");
            }
            case Transition.Fail(String reason) -> {
                counters.failed(true);
                log(Level.ERROR, end, reason);
            }
            case Transition.Cancel(String reason) -> log(Level.INFO, end, "Cancelled: " + reason);
            case Transition.Requeue(String reason) -> {
                counters.addQueued(1);
                demand.workAvailable();
                log(Level.INFO, end, "Back to the queue: " + reason);
            }
        }
        if (!end.sequel().isEmpty()) {
            afterSubmit.committed(end.sequel());
        }
        if (end.transition().target().isFinal()) {
            waiters.complete(end.job());
        }
    }

    private static void log(Level level, AttemptEnd end, String what) {
        if (LOG.isEnabledForLevel(level)) {
            Job job = end.run().job();
            Failure failure = end.execution().failure();
            var event = LOG.atLevel(level).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                    .addKeyValue("attempt", job.counts().attempt()).addKeyValue("worker", end.run().workerId())
                    .addKeyValue("durationMs", end.nanos() / 1_000_000);
            if (failure != null) {
                event = event.addKeyValue("error", failure.message());
                // A plain exit code has no stack trace.
                event = failure.details() == null ? event : event.setCause(failure.toException());
            }
            event.log("{} | job:{}", what, job.id());
        }
    }

    /** Calls listeners and the failure hook, on the worker's thread. */
    public void notifyListeners(AttemptEnd end, Verdict verdict) {
        if (verdict != Verdict.APPLIED && verdict != Verdict.REPEATED) {
            return;
        }
        Job job = end.job();
        for (JobListener listener : listeners) {
            guarded("Listener", job, () -> notifyListener(listener, job, end));
        }
        if (job.state() == JobState.FAILED) {
            runFailureHook(job);
        }
    }

    private static void notifyListener(JobListener listener, Job job, AttemptEnd end) {
        Failure failure = end.execution().failure();
        if (failure != null) {
            listener.onFailed(job, failure);
        } else if (job.state() == JobState.COMPLETED) {
            listener.onCompleted(job, job.status().result());
        }
    }

    /** Calls the handler's hook for a dead-lettered job. */
    public void runFailureHook(Job job) {
        Registration<?, ?> registration = registry.find(job.type());
        if (registration != null) {
            guarded("Failure hook", job, () -> registration.handling().onDead(job));
        }
    }

    private static void guarded(String what, Job job, Runnable action) {
        UserCode.run(action, e -> LOG.atWarn().setCause(e).addKeyValue("job", job.id()).addKeyValue("type", job.type())
                .log("{} failed for job {}; the job is not affected", what, job.id()));
    }
}
