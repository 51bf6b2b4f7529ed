package dev.heddle.pool;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobException;
import dev.heddle.job.Outcome;
import dev.heddle.job.Transition;
import dev.heddle.job.Transitions;
import dev.heddle.store.Care;
import dev.heddle.store.Change;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Verdict;
import dev.heddle.worker.Worker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** Runs one claim on a worker: start, handler, outcome, what becomes of the job, and who is told. */
final class Runner implements WorkerGroup.Work {

    private static final Logger LOG = LoggerFactory.getLogger(Runner.class);

    private final Engine engine;
    private final Registry registry;
    private final Watchdog watchdog;
    private final Aftermath aftermath;
    private final Lease lease;

    Runner(Engine engine, Registry registry, Watchdog watchdog, Aftermath aftermath, Lease lease) {
        this.engine = engine;
        this.registry = registry;
        this.watchdog = watchdog;
        this.aftermath = aftermath;
        this.lease = lease;
    }

    @Override
    public boolean run(Worker worker, Claim claim) {
        Registration<?, ?> registration = registry.find(claim.job().type());
        if (registration == null) {
            handBack(claim, "no handler here");
            return true;
        }
        if (lease.isLapsed()) {
            handBack(claim, Lease.LAPSED);
            return true;
        }
        if (watchdog.isClosing()) {
            handBack(claim, "closing");
            return true;
        }
        Optional<String> obstacle = claim.isAdopted() ? Optional.empty() : obstacle(claim);
        if (obstacle.isPresent()) {
            handBack(claim, obstacle.get());
            return true;
        }
        AttemptRun run = new AttemptRun(claim, registration, claim.fence(), worker, engine.now());
        if (!claim.isAdopted() && !start(run)) {
            registry.breaker(claim.job().type()).ifPresent(Breaker::withdrawn);
            run.finish();
            handBack(claim, "taken away before it started");
            return true;
        }
        watchdog.watch(run);
        engine.tell(() -> new PoolEvent.Started(run.job(), worker.id()));
        Outcome outcome = outcome(run, registration);
        watchdog.unwatch(run);
        worker.ending();
        if (!run.finish()) {
            LOG.atWarn().addKeyValue("job", run.job().id()).addKeyValue("worker", worker.id())
                    .log("Late result of job {} dropped: its worker was replaced", run.job().id());
            return false;
        }
        if (goesOn(run, outcome)) {
            aftermath.left(claim, run.reason().orElse(""));
        } else {
            conclude(run, outcome);
        }
        return true;
    }

    /** Why it cannot start, for a reason that is none of its own. */
    private Optional<String> obstacle(Claim claim) {
        String type = claim.job().type();
        return registry.closed(claim.job())
                .or(() -> registry.breaker(type).filter(breaker -> !breaker.admits())
                        .map(_ -> "circuit breaker is open"));
    }

    /** The node gives the attempt up, and its work does not end with that. */
    private static boolean goesOn(AttemptRun run, Outcome outcome) {
        return outcome instanceof Outcome.Released && run.outlivesNode();
    }

    /** Gives a claim back that was not started; nothing is counted. */
    void handBack(Claim claim, String reason) {
        if (claim.isAdopted()) {
            aftermath.left(claim, reason);
        } else {
            withdraw(claim, reason);
        }
    }

    /** The same where nothing of it is to go on: its job was cancelled, and ends with this. */
    void withdraw(Claim claim, String reason) {
        engine.ledger().post(new Change.HandedBack(claim.fence(), reason, engine.now()),
                verdict -> aftermath.handedBack(claim, verdict));
    }

    @Override
    public void giveBack(Claim claim, String reason, Runnable then) {
        if (claim.isAdopted()) {
            aftermath.left(claim, reason);
            then.run();
            return;
        }
        engine.ledger().post(new Change.HandedBack(claim.fence(), reason, engine.now()),
                verdict -> aftermath.givenBack(claim, verdict, then));
    }

    @Override
    public void refuse(Claim claim, JobException why) {
        Registration<?, ?> registration = registry.find(claim.job().type());
        if (registration == null) {
            handBack(claim, "no handler here");
            return;
        }
        Worker nobody = new Worker("", registration.group(), InstantSource.system(), Map::of, _ -> {});
        AttemptRun run = new AttemptRun(claim, registration, claim.fence(), nobody, engine.now());
        run.finish();
        conclude(run, new Outcome.Failed(Failure.of(why.category(), why)));
    }

    /** Writes RUNNING: before the handler where a crash must be traced to it, with the next commit otherwise. */
    private boolean start(AttemptRun run) {
        Care care = care(run);
        Change.Started started = new Change.Started(run.fence(), run.startedAt(), care);
        LOG.atDebug().addKeyValue("job", run.job().id()).addKeyValue("type", run.job().type())
                .addKeyValue("worker", run.worker().id()).log("Job {} starts", run.job().id());
        if (care.commitsFirst()) {
            return engine.ledger().write(started) == Verdict.APPLIED;
        }
        engine.ledger().post(started, verdict -> {
            if (verdict == Verdict.CANCELLED || verdict == Verdict.LOST) {
                watchdog.stop(run, verdict == Verdict.LOST ? Stop.LOST : Stop.CANCEL,
                        "taken away before it started");
            }
        });
        return true;
    }

    private static Care care(AttemptRun run) {
        if (!run.registration().type().isIdempotent()) {
            return Care.ONCE;
        }
        return run.isSuspect() ? Care.BLAMED : Care.NONE;
    }

    private <P, R> Outcome outcome(AttemptRun run, Registration<P, R> registration) {
        MDC.setContextMap(Map.of("heddle.job", run.job().id().toString(), "heddle.type", run.job().type(),
                "heddle.attempt", Integer.toString(run.fence().attempt()), "heddle.worker",
                run.worker().id()));
        try {
            return handle(run, registration);
        } finally {
            MDC.clear();
        }
    }

    // A handler may throw anything, and whatever it throws ends its attempt and nothing else.
    @SuppressWarnings("CatchingThrowable")
    private <P, R> Outcome handle(AttemptRun run, Registration<P, R> registration) {
        Job job = run.job();
        @Nullable Throwable thrown = null;
        @Nullable String result = null;
        try {
            P payload = engine.codec().read(job.spec().payload(), registration.type().payloadType(),
                    "payload of job " + job.id());
            R value = registration.handling().run(payload, new HandlerContext(run, engine));
            result = value == null ? null
                    : engine.storable(engine.codec().write(value, "result of job " + job.id()),
                            "result of job " + job.id());
        } catch (Throwable t) {
            thrown = t;
        }
        Outcome completed = new Outcome.Completed(result);
        Outcome done = run.children().<Outcome>map(children -> new Outcome.Ingested(children.size()))
                .orElse(completed);
        return judge(run, registration, done, thrown);
    }

    private static Outcome judge(AttemptRun run, Registration<?, ?> registration, Outcome done,
            @Nullable Throwable thrown) {
        Optional<AttemptRun.Stopped> stopped = run.stopped();
        if (stopped.isPresent()) {
            switch (stopped.get().cause()) {
                case TIMEOUT, STALL, CANCEL, LOST -> {
                    return ofStop(run, stopped.get());
                }
                case CLOSING, LAPSED -> {
                    // A handler may still finish, and the fence decides. One that throws gave way: what it was told
                    // to stop by may well be why, and nobody can count that as its failure.
                    if (thrown != null) {
                        logGivingWay(run, thrown);
                        return ofStop(run, stopped.get());
                    }
                }
            }
        }
        if (thrown == null) {
            return done;
        }
        if (thrown instanceof Codec.UnreadableException) {
            return new Outcome.Failed(Failure.of(FailureCategory.PERMANENT, thrown));
        }
        return new Outcome.Failed(Failure.of(registration.categoryOf(thrown), thrown));
    }

    private static void logGivingWay(AttemptRun run, Throwable thrown) {
        if (!(thrown instanceof JobCancelledException || thrown instanceof InterruptedException)) {
            LOG.atInfo().setCause(thrown).addKeyValue("job", run.job().id()).log(
                    "Handler of job {} was told to stop and threw {}; not counted as a failure",
                    run.job().id(), thrown.getClass().getSimpleName());
        }
    }

    private static Outcome ofStop(AttemptRun run, AttemptRun.Stopped stopped) {
        return switch (stopped.cause()) {
            case TIMEOUT -> new Outcome.TimedOut(overdue(run, stopped.reason()));
            case STALL -> new Outcome.TimedOut(Failure.of(FailureCategory.TRANSIENT, stopped.reason()));
            case CANCEL -> new Outcome.Cancelled(stopped.reason());
            case CLOSING, LAPSED, LOST -> new Outcome.Released(stopped.reason());
        };
    }

    /** Who waits for a job of a session waits no longer than this: there is no use in another attempt. */
    private static Failure overdue(AttemptRun run, String reason) {
        return SessionDeadline.appliesTo(run.job().spec(), run.registration().type())
                ? Failure.of(FailureCategory.PERMANENT, SessionFailures.overdue(run.job(), run.deadline()))
                : Failure.of(FailureCategory.TRANSIENT, reason);
    }

    /** The watchdog's way out for an attempt whose handler ignores its token and its interrupt. */
    void giveUp(AttemptRun run) {
        LOG.atError().addKeyValue("job", run.job().id()).addKeyValue("worker", run.worker().id())
                .log("Handler of job {} ignores its cancellation; worker {} is replaced", run.job().id(),
                        run.worker().id());
        Outcome outcome = ofStop(run, run.stopped().orElseThrow());
        if (goesOn(run, outcome)) {
            aftermath.left(run.claim(), run.reason().orElse(""));
            return;
        }
        Ending ending = ending(run, outcome);
        engine.ledger().post(ending.change(), verdict -> {
            aftermath.ended(ending, verdict);
            if (aftermath.isAwaited(ending)) {
                // The worker's thread is lost, and the ledger's has no time for listeners.
                Thread.ofPlatform().daemon().name("heddle-gave-up")
                        .start(() -> aftermath.tell(ending, verdict));
            }
        });
    }

    private void conclude(AttemptRun run, Outcome outcome) {
        Ending ending = ending(run, outcome);
        if (aftermath.isAwaited(ending)) {
            Verdict verdict = engine.ledger().writeUninterruptibly(ending.change());
            aftermath.ended(ending, verdict);
            aftermath.tell(ending, verdict);
        } else {
            engine.ledger().post(ending.change(), verdict -> aftermath.ended(ending, verdict));
        }
    }

    private Ending ending(AttemptRun run, Outcome outcome) {
        Instant now = engine.now();
        Transition transition = Transitions.decide(run.job(), outcome, run.registration().retry(), now,
                ThreadLocalRandom.current());
        Change.Execution execution = new Change.Execution(run.worker().id(), run.assignedAt(),
                run.startedAt(), now,
                endOf(outcome), failureOf(outcome));
        long nanos = run.nanos();
        registry.breaker(run.job().type()).ifPresent(breaker -> breaker.learn(outcome, nanos));
        Ending ending = new Ending(run, execution, transition, nanos);
        return ending.followedBy(engine.sequel(ending.job()));
    }

    private static Attempt.End endOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed _ -> Attempt.End.COMPLETED;
            case Outcome.Ingested _ -> Attempt.End.INGESTED;
            case Outcome.Failed _ -> Attempt.End.FAILED;
            case Outcome.TimedOut _ -> Attempt.End.TIMED_OUT;
            case Outcome.Cancelled _ -> Attempt.End.CANCELLED;
            case Outcome.Released _ -> Attempt.End.RELEASED;
        };
    }

    private static @Nullable Failure failureOf(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failed(Failure failure) -> failure;
            case Outcome.TimedOut(Failure failure) -> failure;
            case Outcome.Completed _,Outcome.Ingested _,Outcome.Cancelled _,Outcome.Released _ -> null;
        };
    }
}
