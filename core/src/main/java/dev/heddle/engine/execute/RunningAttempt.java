package dev.heddle.engine.execute;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.heddle.engine.commit.AttemptFacts;
import dev.heddle.engine.log.AttemptLog;
import dev.heddle.engine.registry.Registration;
import dev.heddle.engine.session.SessionDeadline;
import dev.heddle.engine.support.UserCode;
import dev.heddle.env.Environment;
import dev.heddle.job.Cancellation;
import dev.heddle.job.Job;
import dev.heddle.job.JobSpec;
import dev.heddle.job.Outcome;
import dev.heddle.store.ClaimResult.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.worker.Worker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt while it runs: its fence, its deadline, its last heartbeat, and the ways to stop it. The first cause to
 * stop wins. It ends once, either from its own thread or from the watchdog that abandons it.
 */
public final class RunningAttempt implements Cancellation, AttemptFacts {

    private static final Logger LOG = LoggerFactory.getLogger(RunningAttempt.class);

    private final Claim claim;
    private final Registration<?, ?> registration;
    private final Fence fence;
    private final Worker worker;
    private final Instant startedAt;
    private final Instant deadline;
    private final Environment env;
    private final long startedNanos;
    private final Duration began;
    private final Duration limit;
    private final List<Runnable> onCancel = new ArrayList<>();
    private volatile Duration lastHeartbeat;
    private volatile @Nullable Duration handlerBegan;
    private volatile boolean saved;
    private volatile boolean outlivesNode;
    private volatile @Nullable Queue<NewJob> children;
    private volatile Outcome.@Nullable Rescheduled rescheduled;
    private volatile @Nullable Stopped stopped;
    private volatile @Nullable AttemptLog log;
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable Duration interruptedAt;
    private boolean ended;
    private boolean abandoned;

    /** The least time that an adopted attempt has to find out whether its work has ended. */
    public static final Duration ADOPTION_GRACE = Duration.ofMinutes(1);

    /**
     * What stopped the attempt.
     *
     * @param interruptAt the {@link Environment#elapsed} time at which its thread is interrupted if it has not ended
     */
    record Stopped(StopCause cause, String reason, Duration interruptAt) {}

    /** Creates an attempt on the worker's thread, which is the one that gets interrupted. */
    RunningAttempt(Claim claim, Registration<?, ?> registration, Worker worker, Environment env) {
        this.env = env;
        this.startedNanos = env.nanoTime();
        this.began = env.elapsed();
        Instant now = env.clock().instant();
        this.claim = claim;
        this.registration = registration;
        this.fence = claim.fence();
        this.worker = worker;
        this.startedAt = claim.isAdopted() ? Objects.requireNonNull(claim.job().status().startedAt()) : now;
        this.lastHeartbeat = began;
        this.limit = limit(claim, registration, began);
        this.deadline = now.plus(limit);
        this.outlivesNode = claim.isAdopted();
        this.saved = claim.job().counts().attempt() > 1 || claim.isAdopted();
    }

    /**
     * Returns how long the attempt may run here. An adopted attempt has the rest of its time, by the clock of the store;
     * because its work may have ended in time, there is always a moment to find out.
     */
    private static Duration limit(Claim claim, Registration<?, ?> registration, Duration now) {
        Duration reserved = claim.reserved();
        if (reserved == null) {
            return limitOfStart(claim, registration, now);
        }
        Duration rest = reserved.minus(ADOPTION_GRACE);
        return rest.compareTo(ADOPTION_GRACE) < 0 ? ADOPTION_GRACE : rest;
    }

    /** A job with a session has one deadline for waiting and running. */
    private static Duration limitOfStart(Claim claim, Registration<?, ?> registration, Duration now) {
        JobSpec spec = claim.job().spec();
        Duration own = spec.timeout().orElse(registration.timeout());
        Duration submitted = claim.submitted();
        if (submitted == null || !SessionDeadline.appliesTo(spec, registration.type())) {
            return own;
        }
        Duration left = submitted.plus(SessionDeadline.limit(spec, registration.type())).minus(now);
        return left.compareTo(own) < 0 ? left : own;
    }

    @Override
    public Job job() {
        return claim.job();
    }

    @Override
    public Claim claim() {
        return claim;
    }

    /** Notes that the handler starts now. */
    void handlerStarts() {
        handlerBegan = env.elapsed();
    }

    boolean handlerStarted() {
        return handlerBegan != null;
    }

    /** Returns how long the handler has run. */
    Duration ranFor() {
        Duration from = handlerBegan;
        return from == null ? Duration.ZERO : env.elapsed().minus(from);
    }

    /** Returns the type of the job and its handler. */
    public Registration<?, ?> registration() {
        return registration;
    }

    @Override
    public Fence fence() {
        return fence;
    }

    /** Returns the worker that runs the attempt. */
    public Worker worker() {
        return worker;
    }

    @Override
    public String workerId() {
        return worker.id();
    }

    /** Returns when the job was claimed. */
    Instant assignedAt() {
        return Objects.requireNonNullElse(job().status().assignedAt(), startedAt);
    }

    Instant startedAt() {
        return startedAt;
    }

    /** Returns when the attempt times out, if nobody sets the clock meanwhile. */
    public Instant deadline() {
        return deadline;
    }

    /** Returns the {@link Environment#elapsed} time at which the attempt times out. */
    Duration timesOutAt() {
        return began.plus(limit);
    }

    /** Returns how long it takes until the attempt times out. */
    public Duration timeLeft() {
        return timesOutAt().minus(env.elapsed());
    }

    long nanos() {
        return env.nanoTime() - startedNanos;
    }

    @Override
    public boolean hasSaved() {
        return saved;
    }

    void markSaved() {
        saved = true;
    }

    /** Collects children from now on, to be stored together with the end of this phase. */
    void collectChildren() {
        children = new ConcurrentLinkedQueue<>();
    }

    /** Collects a child; returns false if children must be stored at once. */
    boolean collectChild(Supplier<NewJob> child) {
        Queue<NewJob> collected = children;
        return collected != null && collected.add(child.get());
    }

    @Override
    public Optional<List<NewJob>> children() {
        return Optional.ofNullable(children).map(List::copyOf);
    }

    /** Has the job run again if the handler returns. */
    void reschedule(Outcome.Rescheduled wish) {
        rescheduled = wish;
    }

    /** Returns when the job is to run again; empty if the handler has not asked for that. */
    Optional<Outcome> rescheduled() {
        return Optional.ofNullable(rescheduled);
    }

    /** Marks the attempt as one whose work goes on if the node ends. */
    void outliveNode() {
        outlivesNode = true;
    }

    boolean outlivesNode() {
        return outlivesNode;
    }

    void heartbeat() {
        lastHeartbeat = env.elapsed();
    }

    /** Returns the {@link Environment#elapsed} time of the last sign of life. */
    Duration lastHeartbeat() {
        return lastHeartbeat;
    }

    Optional<Stopped> stopped() {
        return Optional.ofNullable(stopped);
    }

    /** Cancels the token; returns false if the attempt was stopped before or has ended. */
    boolean stop(StopCause cause, String reason, Duration interruptAt) {
        List<Runnable> actions;
        synchronized (this) {
            if (ended || stopped != null) {
                return false;
            }
            stopped = new Stopped(cause, reason, interruptAt);
            actions = List.copyOf(onCancel);
        }
        if (!actions.isEmpty()) {
            // The actions belong to the handler, and the caller must not depend on their end.
            env.threads("heddle-cancel-", true).newThread(() -> actions.forEach(this::runQuietly)).start();
        }
        return true;
    }

    synchronized void interrupt(Duration now) {
        if (!ended && interruptedAt == null && thread != null) {
            interruptedAt = now;
            thread.interrupt();
        }
    }

    synchronized Optional<Duration> interruptedAt() {
        return Optional.ofNullable(interruptedAt);
    }

    /** Returns whether the handler has called {@code System.exit} and waits in it for the pool to close. */
    boolean isEndingJvm() {
        Thread current;
        synchronized (this) {
            current = thread;
        }
        return current != null && JvmExit.isBy(current);
    }

    /** Has a log closed if this attempt is abandoned. */
    void log(AttemptLog opened) {
        log = opened;
    }

    /** Closes the log: what the handler writes now belongs to no attempt. */
    void closeLog() {
        AttemptLog opened = log;
        if (opened != null) {
            opened.close();
        }
    }

    /** Ends the attempt from its own thread; returns false if the watchdog abandoned it before. */
    synchronized boolean finish() {
        boolean first = !ended;
        ended = true;
        if (thread != null) {
            thread = null;
            // An interrupt that comes too late must not hit the next job on this thread.
            Thread.interrupted();
        }
        return first;
    }

    /** Gives up on the attempt; returns false if it has ended. Its thread may go on for as long as it likes. */
    synchronized boolean abandon() {
        boolean first = !ended;
        abandoned |= first;
        ended = true;
        thread = null;
        return first;
    }

    @Override
    public synchronized boolean isAbandoned() {
        return abandoned;
    }

    Optional<Duration> stallAfter() {
        return registration.type().stallAfter();
    }

    @Override
    public boolean isCancelled() {
        return stopped != null;
    }

    @Override
    public boolean jobContinues() {
        return stopped().filter(stop -> switch (stop.cause()) {
            case CLOSING, LAPSED, LOST -> true;
            case TIMEOUT, STALL, CANCEL, EXIT -> false;
        }).isPresent();
    }

    @Override
    public Optional<String> reason() {
        return stopped().map(Stopped::reason);
    }

    @Override
    public void onCancel(Runnable action) {
        synchronized (this) {
            if (stopped == null) {
                onCancel.add(action);
                return;
            }
        }
        runQuietly(action);
    }

    private void runQuietly(Runnable action) {
        UserCode.run(action, e -> LOG.atWarn().setCause(e).addKeyValue("job", job().id())
                .log("A cancel action of job {} failed", job().id()));
    }
}
