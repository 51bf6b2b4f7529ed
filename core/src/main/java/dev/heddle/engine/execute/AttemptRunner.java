package dev.heddle.engine.execute;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.heddle.engine.commit.AfterCommit;
import dev.heddle.engine.commit.AttemptEnd;
import dev.heddle.engine.log.AttemptLog;
import dev.heddle.engine.registry.HandlerRegistry;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.registry.TypeBreaker;
import dev.heddle.engine.session.SessionDeadline;
import dev.heddle.engine.session.SessionFailures;
import dev.heddle.engine.support.JsonCodec;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobException;
import dev.heddle.job.Limits;
import dev.heddle.job.Outcome;
import dev.heddle.job.Transition;
import dev.heddle.job.Transitions;
import dev.heddle.log.JobLogBridge;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.Change;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.StartGuarantee;
import dev.heddle.store.StoreException;
import dev.heddle.store.Verdict;
import dev.heddle.worker.Worker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Runs one attempt on a worker: checks that it may start, writes its start, calls the handler, turns what happened
 * into an outcome, and hands the job's transition to the ledger.
 */
public final class AttemptRunner implements WorkerGroup.ClaimRunner {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptRunner.class);

    private final AttemptServices services;
    private final HandlerRegistry registry;
    private final Watchdog watchdog;
    private final AfterCommit afterCommit;
    private final LeaseTimer lease;
    private final Supplier<String> nodeId;
    private final EndWriter ends;

    /**
     * Creates the runner of a node.
     *
     * @param nodeId supplies the id of the node, which changes when the node rejoins
     */
    public AttemptRunner(AttemptServices services, HandlerRegistry registry, Watchdog watchdog, AfterCommit afterCommit,
            LeaseTimer lease, Supplier<String> nodeId) {
        this.services = services;
        this.registry = registry;
        this.watchdog = watchdog;
        this.afterCommit = afterCommit;
        this.lease = lease;
        this.nodeId = nodeId;
        this.ends = new EndWriter(services, afterCommit);
    }

    @Override
    public boolean run(Worker worker, Claim claim) {
        if (claim.damage() != null) {
            ends.writeDamaged(claim, worker.id());
            return true;
        }
        Registration<?, ?> registration = registry.find(claim.job().type());
        if (registration == null) {
            releaseForOthers(claim, "no handler here");
            return true;
        }
        if (lease.isLapsed()) {
            releaseForOthers(claim, LeaseTimer.LAPSED);
            return true;
        }
        if (watchdog.isClosing()) {
            releaseForOthers(claim, "closing");
            return true;
        }
        Optional<String> holdReason = claim.isAdopted() ? Optional.empty() : holdReason(claim);
        if (holdReason.isPresent()) {
            releaseForOthers(claim, holdReason.get());
            return true;
        }
        return run(new RunningAttempt(claim, registration, worker, services.env()));
    }

    // The engine's own faults, too, must end the attempt: otherwise its job and its worker would be stuck.
    @SuppressWarnings("CatchingThrowable")
    private boolean run(RunningAttempt run) {
        try {
            return startAndConclude(run);
        } catch (Throwable e) {
            LOG.atError().setCause(e).addKeyValue("job", run.job().id()).log("The engine failed to run job {}",
                    run.job().id());
            watchdog.unwatch(run);
            run.finish();
            if (run.isAbandoned()) {
                return false;
            }
            conclude(run, new Outcome.Failed(Failure.of(engineCategory(e), e)));
            return true;
        }
    }

    /** What the store refuses for its content, it refuses again. */
    private static FailureCategory engineCategory(Throwable e) {
        return e instanceof StoreException refused && refused.kind() == StoreException.Kind.REJECTED
                ? FailureCategory.PERMANENT
                : FailureCategory.TRANSIENT;
    }

    private boolean startAndConclude(RunningAttempt run) {
        Claim claim = run.claim();
        Worker worker = run.worker();
        watchdog.expect(run);
        if (!claim.isAdopted() && !start(run)) {
            watchdog.unwatch(run);
            registry.breaker(claim.job().type()).ifPresent(TypeBreaker::notStarted);
            run.finish();
            releaseForOthers(claim, "taken away before it started");
            return true;
        }
        watchdog.watch(run);
        // The watchdog looks at the lease first, and a node that rejoins renews its lease last.
        if (!run.fence().node().equals(nodeId.get())) {
            watchdog.stop(run, StopCause.LOST, "claimed before this node was declared dead");
        }
        services.probation().attemptChanged();
        services.publish(() -> new PoolEvent.Started(run.job(), worker.id()));
        // If it was told to stop before it began, only an adopted attempt has anything to stop.
        Outcome outcome = run.stopped().filter(_ -> !claim.isAdopted()).map(stop -> outcomeOfStop(run, stop))
                .orElseGet(() -> outcome(run, run.registration()));
        watchdog.unwatch(run);
        worker.markFinishing();
        if (!run.finish()) {
            LOG.atWarn().addKeyValue("job", run.job().id()).addKeyValue("worker", worker.id())
                    .log("Dropped the late result of job {}: its worker was replaced", run.job().id());
            return false;
        }
        if (isDetached(run, outcome)) {
            afterCommit.detached(claim, run.reason().orElse(""));
        } else {
            conclude(run, outcome);
        }
        return true;
    }

    /** Returns why the job may not start now although it was claimed: a closed gate or an open circuit breaker. */
    private Optional<String> holdReason(Claim claim) {
        String type = claim.job().type();
        return registry.checkStart(claim.job()).or(() -> registry.breaker(type).filter(breaker -> !breaker.tryAdmit())
                .map(_ -> "circuit breaker is open"));
    }

    /** Returns whether this node gives up an attempt whose work goes on without it. */
    private static boolean isDetached(RunningAttempt run, Outcome outcome) {
        return outcome instanceof Outcome.Released && run.outlivesNode();
    }

    /** Releases a claim that was not started, for any node to claim. No attempt is recorded. */
    void releaseForOthers(Claim claim, String reason) {
        if (claim.isAdopted()) {
            afterCommit.detached(claim, reason);
        } else {
            writeRelease(claim, reason, verdict -> afterCommit.released(claim, verdict));
        }
    }

    /** Releases a claim whose job was cancelled, even an adopted one, because its work must not go on. */
    void releaseCancelled(Claim claim, String reason) {
        writeRelease(claim, reason, verdict -> afterCommit.released(claim, verdict));
    }

    @Override
    public void release(Claim claim, String reason, Runnable then) {
        if (claim.isAdopted()) {
            afterCommit.detached(claim, reason);
            then.run();
        } else {
            writeRelease(claim, reason, verdict -> afterCommit.releasedForReclaim(claim, verdict, then));
        }
    }

    private void writeRelease(Claim claim, String reason, Consumer<Verdict> then) {
        Change.Released released = new Change.Released(claim.fence(), Limits.cut(reason, Limits.REASON),
                services.now());
        services.ledger().post(released, then, _ -> services.ledger()
                .post(new Change.Released(claim.fence(), "released; the store refused the reason", released.at()),
                        then));
    }

    @Override
    public void fail(Claim claim, JobException cause) {
        Registration<?, ?> registration = registry.find(claim.job().type());
        if (registration == null) {
            releaseForOthers(claim, "no handler here");
            return;
        }
        Worker noWorker = new Worker("", registration.group(), services.env().clock(), Map::of, _ -> {});
        RunningAttempt run = new RunningAttempt(claim, registration, noWorker, services.env());
        run.finish();
        conclude(run, new Outcome.Failed(Failure.of(cause.category(), cause)));
    }

    /**
     * Writes RUNNING. If a crash must be traced to this job, the write is durable before the handler runs; otherwise
     * it goes with the next commit.
     */
    private boolean start(RunningAttempt run) {
        StartGuarantee guarantee = startGuarantee(run);
        Change.Started started = new Change.Started(run.fence(), run.startedAt(), guarantee);
        LOG.atDebug().addKeyValue("job", run.job().id()).addKeyValue("type", run.job().type())
                .addKeyValue("worker", run.worker().id()).log("Starting job {}", run.job().id());
        if (guarantee.commitsFirst()) {
            return commit(started);
        }
        services.ledger().post(started, verdict -> {
            if (verdict == Verdict.CANCELLED || verdict == Verdict.LOST) {
                watchdog.stop(run, verdict == Verdict.LOST ? StopCause.LOST : StopCause.CANCEL,
                        "taken away before it started");
            }
        }, refusal -> LOG.atWarn().setCause(refusal).addKeyValue("job", run.job().id())
                .log("The store refused the start of job {}; its attempt goes on", run.job().id()));
        // If no suspect is here even now, the start of one that comes is written after this one.
        return !services.probation().mustCommitStarts() || commit(
                new Change.Started(run.fence(), run.startedAt(), StartGuarantee.COMMITTED_FIRST));
    }

    private boolean commit(Change.Started started) {
        return services.ledger().writeUninterruptibly(started) == Verdict.APPLIED;
    }

    private StartGuarantee startGuarantee(RunningAttempt run) {
        if (!run.registration().type().isIdempotent()) {
            return StartGuarantee.AT_MOST_ONCE;
        }
        return services.probation().mustCommitStarts() ? StartGuarantee.COMMITTED_FIRST : StartGuarantee.NONE;
    }

    private <P, R> Outcome outcome(RunningAttempt run, Registration<P, R> registration) {
        MDC.setContextMap(Map.of(JobLogBridge.JOB, run.job().id().toString(), "heddle.type", run.job().type(),
                JobLogBridge.ATTEMPT, Integer.toString(run.fence().attempt()), "heddle.worker", run.worker().id()));
        AttemptLog log = services.logs().open(run.job().id(), run.fence(), run.claim().isAdopted());
        run.log(log);
        try {
            return handle(run, registration, log);
        } finally {
            log.close();
            MDC.clear();
        }
    }

    // Whatever a handler throws ends its attempt, and nothing else.
    @SuppressWarnings("CatchingThrowable")
    private <P, R> Outcome handle(RunningAttempt run, Registration<P, R> registration, AttemptLog log) {
        Job job = run.job();
        @Nullable Throwable thrown = null;
        @Nullable String result = null;
        try {
            P payload = services.codec().read(job.spec().payload(), registration.type().payloadType(),
                    "payload of job " + job.id());
            R value = registration.handling().run(payload, new HandlerContext(run, services, log));
            result = value == null ? null : services.requireStorable(
                    services.codec().write(value, "result of job " + job.id()), "result of job " + job.id());
        } catch (Throwable t) {
            thrown = t;
        }
        Outcome completed = new Outcome.Completed(result);
        Outcome done = run.children().<Outcome>map(children -> new Outcome.Ingested(children.size()))
                .or(run::rescheduled).orElse(completed);
        return outcomeOf(run, registration, done, thrown);
    }

    private Outcome outcomeOf(RunningAttempt run, Registration<?, ?> registration, Outcome done,
            @Nullable Throwable thrown) {
        Optional<RunningAttempt.Stopped> stopped = run.stopped();
        if (stopped.isPresent()) {
            switch (stopped.get().cause()) {
                case TIMEOUT, STALL, CANCEL, LOST, EXIT -> {
                    return outcomeOfStop(run, stopped.get());
                }
                case CLOSING, LAPSED -> {
                    // A handler that finishes all the same counts, and the fence decides. One that throws may do so
                    // because it was told to stop, so its exception must not count as a failure.
                    if (thrown != null) {
                        logThrownAfterStop(run, thrown);
                        return outcomeOfStop(run, stopped.get());
                    }
                }
            }
        }
        if (thrown == null) {
            return done;
        }
        if (thrown instanceof JobCancelledException said) {
            return new Outcome.Cancelled(Limits.cut(String.valueOf(said.getMessage()), Limits.MESSAGE));
        }
        if (thrown instanceof JsonCodec.UnreadableException) {
            return new Outcome.Failed(Failure.of(FailureCategory.PERMANENT, thrown));
        }
        Failure failure = Failure.of(registration.categoryOf(thrown), thrown);
        return thrown instanceof JobException said && said.isTimeout() ? new Outcome.TimedOut(failure)
                : new Outcome.Failed(failure);
    }

    private static void logThrownAfterStop(RunningAttempt run, Throwable thrown) {
        if (!(thrown instanceof JobCancelledException || thrown instanceof InterruptedException)) {
            LOG.atInfo().setCause(Failure.of(FailureCategory.TRANSIENT, thrown).toException())
                    .addKeyValue("job", run.job().id()).log(
                            "The handler of job {} was told to stop and threw {}; this does not count as a failure",
                            run.job().id(), thrown.getClass().getSimpleName());
        }
    }

    private Outcome outcomeOfStop(RunningAttempt run, RunningAttempt.Stopped stopped) {
        return switch (stopped.cause()) {
            case TIMEOUT -> new Outcome.TimedOut(timeoutFailure(run, stopped.reason()));
            case STALL -> new Outcome.TimedOut(Failure.of(FailureCategory.TRANSIENT, stopped.reason()));
            case CANCEL -> new Outcome.Cancelled(stopped.reason());
            case CLOSING, LAPSED, LOST -> new Outcome.Released(stopped.reason());
            case EXIT -> new Outcome.Crashed(services.maxCrashes(), mayRunAgain(run));
        };
    }

    private boolean mayRunAgain(RunningAttempt run) {
        return run.registration().type().isIdempotent()
                || services.store().saved(run.fence().seq()).checkpoint().isPresent();
    }

    /** A client waits for a job with a session only until this deadline, so another attempt is no use. */
    private static Failure timeoutFailure(RunningAttempt run, String reason) {
        return SessionDeadline.appliesTo(run.job().spec(), run.registration().type())
                ? Failure.of(FailureCategory.PERMANENT,
                        SessionFailures.overdue(run.job(),
                                SessionDeadline.limit(run.job().spec(), run.registration().type())))
                : Failure.of(FailureCategory.TRANSIENT, reason);
    }

    /** Ends an attempt in place of its handler, which ignores both its token and its interrupt, or ends the JVM. */
    public void abandon(RunningAttempt run) {
        Outcome outcome = outcomeOfStop(run, run.stopped().orElseThrow());
        run.closeLog();
        LOG.atError().addKeyValue("job", run.job().id()).addKeyValue("worker", run.worker().id()).log(
                outcome instanceof Outcome.Crashed
                        ? "The handler of job {} on worker {} called System.exit; this counts as a crash of the job"
                        : "The handler of job {} ignores its cancellation; replacing worker {}",
                run.job().id(), run.worker().id());
        if (isDetached(run, outcome)) {
            afterCommit.detached(run.claim(), run.reason().orElse(""));
            return;
        }
        ends.writeForLostThread(endOf(run, outcome));
    }

    private void conclude(RunningAttempt run, Outcome outcome) {
        ends.write(endOf(run, outcome));
    }

    private AttemptEnd endOf(RunningAttempt run, Outcome outcome) {
        Instant now = services.now();
        Transition transition = Transitions.decide(run.job(), outcome, run.registration().retry(),
                services.env().random());
        Change.Execution execution = new Change.Execution(run.worker().id(), run.assignedAt(), run.startedAt(), now,
                OutcomeRecord.end(outcome), OutcomeRecord.failure(outcome));
        long nanos = run.nanos();
        registry.breaker(run.job().type()).ifPresent(breaker -> breaker.record(outcome, nanos));
        AttemptEnd end = new AttemptEnd(run, execution, transition, nanos);
        return end.withSequel(services.sequelOf(end.job()));
    }
}
