package dev.heddle.engine.execute;

import java.lang.reflect.Type;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import dev.heddle.engine.log.AttemptLog;
import dev.heddle.engine.log.JobLogger;
import dev.heddle.engine.registry.Handling;
import dev.heddle.engine.registry.PhaseContext;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.job.Cancellation;
import dev.heddle.job.Children;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Job;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.job.JobState;
import dev.heddle.job.Limits;
import dev.heddle.job.Outcome;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import dev.heddle.job.TypeRef;
import dev.heddle.log.JobLogBridge;
import dev.heddle.log.LogStream;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.Change;
import dev.heddle.store.SavedState;
import dev.heddle.store.StoreException;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

import static java.util.Objects.requireNonNull;

/**
 * The context that a handler receives. Everything it saves goes through the ledger, under the fence of its attempt.
 */
final class HandlerContext implements PhaseContext {

    private static final String LOST = "the job is no longer this attempt's";
    private static final String PARENT_DELETED = "parent job deleted during execution";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final RunningAttempt run;
    private final AttemptServices services;
    private final AttemptLog log;
    private final Set<String> stepsThisAttempt = new HashSet<>();
    private final AtomicReference<@Nullable Progress> unwritten = new AtomicReference<>();
    private @Nullable SavedState saved;
    private @Nullable Instant lastStepAt;

    HandlerContext(RunningAttempt run, AttemptServices services, AttemptLog log) {
        this.run = run;
        this.services = services;
        this.log = log;
    }

    @Override
    public JobSpec spec() {
        return run.job().spec();
    }

    @Override
    public int attempt() {
        return run.job().counts().attempt();
    }

    @Override
    public String worker() {
        return run.worker().id();
    }

    @Override
    public Cancellation cancellation() {
        return run;
    }

    @Override
    public Instant deadline() {
        return run.deadline();
    }

    @Override
    public Duration timeLeft() {
        return run.timeLeft();
    }

    @Override
    public Logger log() {
        return new JobLogger(log, LoggerFactory.getLogger(JobLogBridge.JOB_LOGGERS + run.job().type()));
    }

    @Override
    public void output(LogStream stream, String line) {
        log.add(Level.INFO, stream, line);
    }

    @Override
    public void heartbeat() {
        run.heartbeat();
    }

    @Override
    public void progress(long current, long total, String message) {
        heartbeat();
        Progress now = new Progress(current, total, message);
        services.publish(() -> new PoolEvent.Progressed(run.job(), now));
        // While one value is on its way to the store, newer ones replace each other here.
        if (unwritten.getAndSet(now) == null) {
            writeProgress();
        }
    }

    private void writeProgress() {
        Progress value = unwritten.get();
        if (value != null) {
            services.ledger().post(new Change.Progressed(run.fence(), value), verdict -> {
                if (!unwritten.compareAndSet(value, null) && verdict == Verdict.APPLIED) {
                    writeProgress();
                }
            });
        }
    }

    @Override
    public <T> Optional<T> checkpoint(Class<T> type) {
        return checkpoint((Type) type);
    }

    @Override
    public <T> Optional<T> checkpoint(TypeRef<T> type) {
        return checkpoint(type.type());
    }

    private <T> Optional<T> checkpoint(Type type) {
        return saved().checkpoint().map(json -> services.codec().read(json, type, "checkpoint of job " + id()));
    }

    @Override
    public void saveCheckpoint(Object value) {
        String json = requireStorable(services.codec().write(value, "checkpoint of job " + id()), "checkpoint");
        write(new Change.Checkpointed(run.fence(), json, services.now()), "checkpoint");
        saved = new SavedState(json, saved().steps(), saved().lastStepAt());
        // The checkpoint is durable, so the attempt can stop here and lose nothing.
        run.throwIfCancelled();
    }

    @Override
    public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<T> action) throws Exception {
        return step(name, (Type) type, action);
    }

    @Override
    public <T extends @Nullable Object> T step(String name, TypeRef<T> type, Callable<T> action) throws Exception {
        return step(name, type.type(), action);
    }

    private <T extends @Nullable Object> T step(String name, Type type, Callable<T> action) throws Exception {
        if (!stepsThisAttempt.add(Limits.name("step", name))) {
            throw JobException.permanent("step '" + name + "' was used twice in attempt " + attempt() + " of job "
                    + id() + "; give each step a unique name");
        }
        String done = saved().steps().get(name);
        if (done != null) {
            heartbeat();
            return services.codec().read(done, type, "step '" + name + "' of job " + id());
        }
        run.throwIfCancelled();
        T result = action.call();
        String json = requireStorable(services.codec().write(result, "result of step '" + name + "'"),
                "step '" + name + "'");
        write(new Change.StepDone(run.fence(), name, json, nextStepTime()), "step '" + name + "'");
        return result;
    }

    /** Returns a time after that of the last step: the times are the order of the steps, even if clocks differ. */
    private Instant nextStepTime() {
        Instant now = services.now();
        Instant last = lastStepAt == null ? saved().lastStepAt() : lastStepAt;
        lastStepAt = last == null || now.isAfter(last.plusMillis(1)) ? now : last.plusMillis(1);
        return lastStepAt;
    }

    private SavedState saved() {
        if (saved == null) {
            // A first attempt has nothing to load. Later ones load once, and so does an adopted one.
            saved = attempt() == 1 && !run.claim().isAdopted() ? SavedState.EMPTY : load();
        }
        return saved;
    }

    /**
     * Loads what the job has saved. It is deleted when the job ends, so an attempt that was delayed until its job
     * ended elsewhere would find nothing and start over. To rule that out, this checks after the read that the job
     * still belongs to this attempt.
     */
    private SavedState load() {
        SavedState found = read(() -> services.store().saved(run.job().seq()));
        if (read(() -> services.store().find(id())).filter(this::isStillMine).isEmpty()) {
            throw services.stop(run, StopCause.LOST, LOST);
        }
        return found;
    }

    /**
     * Reads from the store, and waits while it cannot be reached: that is not the job's failure. The wait ends at the
     * latest when the attempt has to stop, because its time is up or its node has lost its lease.
     */
    private <T> T read(Supplier<T> reading) {
        for (Duration pause = FIRST_PAUSE;; pause = pause.compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2)
                : pause) {
            try {
                return reading.get();
            } catch (StoreException e) {
                if (e.kind() != StoreException.Kind.UNREACHABLE) {
                    throw e;
                }
            }
            heartbeat();
            sleep(pause);
        }
    }

    private boolean isStillMine(Job job) {
        return job.counts().attempt() == attempt() && switch (job.state()) {
            case ASSIGNED, RUNNING, CANCELLED -> true;
            case QUEUED, SCHEDULED, PAUSED, WAITING, COMPLETED, FAILED -> false;
        };
    }

    private String requireStorable(String json, String what) {
        return services.requireStorable(json, what + " of job " + id());
    }

    /**
     * Writes a change and returns once it is durable. Stops the attempt if it has lost its job. If the store refuses
     * the change, the call fails, and with it the attempt, unless the handler catches that.
     */
    private void write(Change change, String what) {
        run.markSaved();
        Verdict verdict;
        try {
            verdict = services.ledger().write(change);
        } catch (InterruptedException e) {
            throw interrupted("saving", e);
        } catch (StoreException e) {
            throw JobException.permanent("The store refused the " + what + " of job " + id() + ": " + e.getMessage(),
                    e);
        }
        heartbeat();
        switch (verdict) {
            case APPLIED, REPEATED -> {
            }
            case CANCELLED -> throw services.stop(run, StopCause.CANCEL, "cancelled");
            case LOST -> throw services.stop(run, StopCause.LOST, LOST);
        }
    }

    @Override
    public void detachFromNode() {
        if (!services.reserve(run)) {
            throw services.stop(run, StopCause.LOST, LOST);
        }
        if (!run.outlivesNode()) {
            outliveNode();
        }
        services.probation().attemptChanged();
    }

    /**
     * Marks the attempt, unless it should stop: its work has not begun, and its job may run elsewhere soon. Checks
     * again afterwards, because the watchdog abandons either an attempt that is marked, or one that is refused here.
     */
    private void outliveNode() {
        run.throwIfCancelled();
        run.outliveNode();
        if (run.isAbandoned()) {
            run.throwIfCancelled();
        }
    }

    @Override
    public Phase phase() {
        return run.job().phase();
    }

    @Override
    public Children children() {
        return new StoredChildren(services.store(), this::read, id(), services.codec());
    }

    @Override
    public void collectChildren() {
        run.collectChildren();
    }

    @Override
    public <P, R> JobId spawn(JobRequest<P, R> child) {
        heartbeat();
        JobRequest<P, R> mine = child.parent(id());
        JobRequest<P, R> bound = run.registration().type().keepsChildren() ? mine.outlivesParent() : mine;
        return run.collectChild(() -> services.encodeChild(bound)) ? bound.id()
                : spawnNow(bound).orElseThrow(this::spawnFailure);
    }

    private Optional<JobId> spawnNow(JobRequest<?, ?> child) {
        try {
            return services.spawn(child, run.fence());
        } catch (StoreException e) {
            if (e.kind() == StoreException.Kind.REJECTED) {
                throw JobException.permanent("The store refused a child of job " + id() + ": " + e.getMessage(), e);
            }
            throw e;
        }
    }

    /** Finds out why the attempt may no longer add children. */
    private RuntimeException spawnFailure() {
        Optional<Job> now = read(() -> services.store().find(id()));
        if (now.isEmpty()) {
            services.stop(run, StopCause.LOST, PARENT_DELETED);
            return JobException.permanent(PARENT_DELETED);
        }
        return now.get().state() == JobState.CANCELLED
                ? services.stop(run, StopCause.CANCEL, now.get().reason().orElse("cancelled"))
                : services.stop(run, StopCause.LOST, LOST);
    }

    @Override
    public void rescheduleIn(Duration delay) {
        reschedule(new Start.After(Limits.notNegative("delay", delay)), null);
    }

    @Override
    public void rescheduleIn(Duration delay, Object data) {
        reschedule(new Start.After(Limits.notNegative("delay", delay)), requireNonNull(data, "data"));
    }

    @Override
    public void rescheduleAt(Instant time) {
        reschedule(new Start.At(Limits.time("time", time)), null);
    }

    @Override
    public void rescheduleAt(Instant time, Object data) {
        reschedule(new Start.At(Limits.time("time", time)), requireNonNull(data, "data"));
    }

    private void reschedule(Start start, @Nullable Object data) {
        if (run.registration().handling() instanceof Handling.TwoPhase) {
            throw JobException.permanent("job " + id() + " cannot reschedule itself, because it has two phases");
        }
        String what = "data for the next run";
        run.reschedule(new Outcome.Rescheduled(start,
                data == null ? null : requireStorable(services.codec().write(data, what + " of job " + id()), what)));
    }

    @Override
    public void sleep(Duration duration) {
        Wakeup cancelled = new Wakeup(services.env());
        run.onCancel(cancelled::raise);
        cancelled.await(duration);
        run.throwIfCancelled();
        if (Thread.currentThread().isInterrupted()) {
            throw interrupted("sleeping", null);
        }
    }

    /** The watchdog interrupts only what it has told to stop; another interrupt is a failure like any other. */
    private RuntimeException interrupted(String at, @Nullable InterruptedException cause) {
        Thread.currentThread().interrupt();
        run.throwIfCancelled();
        return JobException.of(FailureCategory.TRANSIENT, "interrupted while " + at, cause);
    }
}
