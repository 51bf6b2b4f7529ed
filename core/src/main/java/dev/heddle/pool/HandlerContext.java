package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import dev.heddle.job.Cancellation;
import dev.heddle.job.Children;
import dev.heddle.job.Job;
import dev.heddle.job.JobCancelledException;
import dev.heddle.job.JobContext;
import dev.heddle.job.JobException;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.job.Phase;
import dev.heddle.job.Progress;
import dev.heddle.store.Change;
import dev.heddle.store.Saved;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The handler's view of its attempt. Everything it saves goes through the ledger, under the fence. */
final class HandlerContext implements JobContext {

    private static final String DELETED = "parent job deleted during execution";

    private final AttemptRun run;
    private final Engine engine;
    private final Set<String> stepsThisAttempt = new HashSet<>();
    private final AtomicReference<@Nullable Progress> unwritten = new AtomicReference<>();
    private @Nullable Saved saved;

    HandlerContext(AttemptRun run, Engine engine) {
        this.run = run;
        this.engine = engine;
    }

    @Override
    public JobId id() {
        return run.job().id();
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
    public Optional<String> subject() {
        return run.job().spec().subject();
    }

    @Override
    public Set<String> tags() {
        return run.job().spec().tags();
    }

    @Override
    public Optional<String> session() {
        return run.job().spec().session();
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
    public Logger log() {
        return LoggerFactory.getLogger("heddle.job." + run.job().type());
    }

    @Override
    public void heartbeat() {
        run.beat(engine.now());
    }

    @Override
    public void progress(long current, long total, String message) {
        heartbeat();
        Progress now = new Progress(current, total, message);
        engine.tell(() -> new PoolEvent.Progressed(run.job(), now));
        // While one value is on its way to the store, newer ones replace each other here.
        if (unwritten.getAndSet(now) == null) {
            writeProgress();
        }
    }

    private void writeProgress() {
        Progress value = unwritten.get();
        if (value != null) {
            engine.ledger().post(new Change.Progressed(run.fence(), value), verdict -> {
                if (!unwritten.compareAndSet(value, null) && verdict == Verdict.APPLIED) {
                    writeProgress();
                }
            });
        }
    }

    @Override
    public <T> Optional<T> checkpoint(Class<T> type) {
        return saved().checkpoint().map(json -> engine.codec().read(json, type, "checkpoint of job " + id()));
    }

    @Override
    public void saveCheckpoint(Object value) {
        String json = limited(engine.codec().write(value, "checkpoint of job " + id()), "checkpoint");
        write(new Change.Checkpointed(run.fence(), json, engine.now()));
        saved = new Saved(json, saved().steps());
        // Here it can stop and lose nothing.
        run.throwIfCancelled();
    }

    @Override
    public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<T> action)
            throws Exception {
        if (!stepsThisAttempt.add(name)) {
            throw JobException
                    .permanent("step '" + name + "' was used twice in attempt " + attempt() + " of job "
                            + id() + "; give each step a name of its own");
        }
        String done = saved().steps().get(name);
        if (done != null) {
            heartbeat();
            return engine.codec().read(done, type, "step '" + name + "' of job " + id());
        }
        run.throwIfCancelled();
        T result = action.call();
        String json = limited(engine.codec().write(result, "result of step '" + name + "'"),
                "step '" + name + "'");
        write(new Change.StepDone(run.fence(), name, json, engine.now()));
        return result;
    }

    private Saved saved() {
        if (saved == null) {
            // A first attempt has nothing to load; later ones look once, and so does who takes one up.
            saved = attempt() == 1 && !run.claim().isAdopted() ? Saved.NOTHING : load();
        }
        return saved;
    }

    /**
     * What a job saved is deleted when it ends. An attempt that was held up for so long that its job has ended elsewhere
     * must not take that for a job that has saved nothing: so it looks, after it has read, whether the job is still its.
     */
    private Saved load() {
        Saved found = engine.store().saved(run.job().seq());
        if (engine.store().find(id()).filter(this::isMine).isEmpty()) {
            throw engine.stopped(run, Stop.LOST, "the job is no longer this attempt's");
        }
        return found;
    }

    private boolean isMine(Job job) {
        return job.counts().attempt() == attempt() && switch (job.state()) {
            case ASSIGNED, RUNNING, CANCELLED -> true;
            case QUEUED, SCHEDULED, PAUSED, WAITING, COMPLETED, FAILED -> false;
        };
    }

    private String limited(String json, String what) {
        return engine.storable(json, what + " of job " + id());
    }

    /** Durable when it returns. An attempt that has lost its job is stopped here. */
    private void write(Change change) {
        run.markSaved();
        Verdict verdict = engine.ledger().write(change);
        heartbeat();
        switch (verdict) {
            case APPLIED, REPEATED -> {
            }
            case CANCELLED -> throw engine.stopped(run, Stop.CANCEL, "cancelled");
            case LOST -> throw engine.stopped(run, Stop.LOST, "the job is no longer this attempt's");
        }
    }

    @Override
    public void outliveNode() {
        if (!engine.reserve(run)) {
            throw engine.stopped(run, Stop.LOST, "the job is no longer this attempt's");
        }
        run.outliveNode();
    }

    Phase phase() {
        return run.job().phase();
    }

    Children children() {
        return new StoredChildren(engine.store(), id(), engine.codec());
    }

    /** From now on children are only written down, to be stored with the end of this phase. */
    void gatherChildren() {
        run.gatherChildren();
    }

    @Override
    public <P, R> JobId spawn(JobRequest<P, R> child) {
        heartbeat();
        JobRequest<P, R> mine = child.parent(id());
        JobRequest<P, R> bound = run.registration().type().keepsChildren() ? mine.outlivesParent() : mine;
        return run.gather(() -> engine.enrol(bound)) ? bound.id()
                : engine.spawn(bound, run.fence()).orElseThrow(this::refused);
    }

    /** The job was not this attempt's any more when it wanted a child. */
    private RuntimeException refused() {
        Optional<Job> now = engine.store().find(id());
        if (now.isEmpty()) {
            engine.stopped(run, Stop.LOST, DELETED);
            return JobException.permanent(DELETED);
        }
        return now.get().state() == JobState.CANCELLED
                ? engine.stopped(run, Stop.CANCEL, now.get().reason().orElse("cancelled"))
                : engine.stopped(run, Stop.LOST, "the job is no longer this attempt's");
    }

    @Override
    public void sleep(Duration duration) {
        CountDownLatch cancelled = new CountDownLatch(1);
        run.onCancel(cancelled::countDown);
        try {
            if (cancelled.await(duration.toMillis(), TimeUnit.MILLISECONDS)) {
                run.throwIfCancelled();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new JobCancelledException("interrupted while sleeping");
        }
    }
}
