package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Supplier;

import dev.heddle.job.Cancellation;
import dev.heddle.job.Job;
import dev.heddle.store.Claimed.Claim;
import dev.heddle.store.Fence;
import dev.heddle.store.NewJob;
import dev.heddle.worker.Worker;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One attempt while it runs: its fence, its deadline, its last sign of life, and the ways to stop it. The first
 * reason to stop wins. Whoever ends it, its own thread or the watchdog that gives up on it, does so once.
 */
final class AttemptRun implements Cancellation {

    private static final Logger LOG = LoggerFactory.getLogger(AttemptRun.class);

    private final Claim claim;
    private final Registration<?, ?> registration;
    private final Fence fence;
    private final Worker worker;
    private final Instant startedAt;
    private final Instant deadline;
    private final long startedNanos = System.nanoTime();
    private final List<Runnable> onCancel = new ArrayList<>();
    private volatile Instant lastBeat;
    private volatile boolean saved;
    private volatile boolean outlivesNode;
    private volatile @Nullable Queue<NewJob> children;
    private volatile @Nullable Stopped stopped;
    private @Nullable Thread thread = Thread.currentThread();
    private @Nullable Instant interruptedAt;
    private boolean over;
    private boolean abandoned;

    /** How long it may take to see that what goes on without a node has ended. */
    static final Duration AFTER_DEADLINE = Duration.ofMinutes(1);

    /**
     * What stopped the attempt.
     *
     * @param interruptAt when its thread is interrupted if it has not ended by then
     */
    record Stopped(Stop cause, String reason, Instant interruptAt) {}

    /** Made on the worker's thread, which is the one that gets interrupted. */
    AttemptRun(Claim claim, Registration<?, ?> registration, Fence fence, Worker worker, Instant now) {
        this.claim = claim;
        this.registration = registration;
        this.fence = fence;
        this.worker = worker;
        this.startedAt = claim.isAdopted() ? Objects.requireNonNull(claim.job().status().startedAt()) : now;
        this.lastBeat = now;
        this.deadline = deadline(claim, registration, startedAt, now);
        this.outlivesNode = claim.isAdopted();
        this.saved = claim.job().counts().attempt() > 1 || claim.isAdopted();
    }

    /** Whose work went on without a node may have ended in time: there is a moment to find out. */
    private static Instant deadline(Claim claim, Registration<?, ?> registration, Instant startedAt,
            Instant now) {
        Instant own = deadline(claim.job(), registration, startedAt);
        Instant least = now.plus(AFTER_DEADLINE);
        return claim.isAdopted() && own.isBefore(least) ? least : own;
    }

    /** A job with a session has one deadline for waiting and running. */
    private static Instant deadline(Job job, Registration<?, ?> registration, Instant now) {
        Instant own = now.plus(job.spec().timeout().orElse(registration.timeout()));
        if (!SessionDeadline.appliesTo(job.spec(), registration.type())) {
            return own;
        }
        Instant whole = SessionDeadline.of(job.spec(), registration.type());
        return whole.isBefore(own) ? whole : own;
    }

    Job job() {
        return claim.job();
    }

    Claim claim() {
        return claim;
    }

    boolean isSuspect() {
        return claim.suspect();
    }

    Registration<?, ?> registration() {
        return registration;
    }

    Fence fence() {
        return fence;
    }

    Worker worker() {
        return worker;
    }

    /** When it was claimed. */
    Instant assignedAt() {
        return Objects.requireNonNullElse(job().status().assignedAt(), startedAt);
    }

    Instant startedAt() {
        return startedAt;
    }

    Instant deadline() {
        return deadline;
    }

    long nanos() {
        return System.nanoTime() - startedNanos;
    }

    /** Whether a checkpoint or step of the job may be in the store. */
    boolean hasSaved() {
        return saved;
    }

    void markSaved() {
        saved = true;
    }

    /** This is a first phase: its children are kept here, to be stored with its end. */
    void gatherChildren() {
        children = new ConcurrentLinkedQueue<>();
    }

    /** Keeps a child; false where it is to be stored at once. */
    boolean gather(Supplier<NewJob> child) {
        Queue<NewJob> gathered = children;
        return gathered != null && gathered.add(child.get());
    }

    /** What was gathered; empty where this is no first phase. */
    Optional<List<NewJob>> children() {
        return Optional.ofNullable(children).map(List::copyOf);
    }

    /** Its work goes on when the node ends, and the store keeps it for this machine. */
    void outliveNode() {
        outlivesNode = true;
    }

    boolean outlivesNode() {
        return outlivesNode;
    }

    void beat(Instant now) {
        lastBeat = now;
    }

    Instant lastBeat() {
        return lastBeat;
    }

    Optional<Stopped> stopped() {
        return Optional.ofNullable(stopped);
    }

    /** Cancels the token; returns false where the attempt was stopped before or is over. */
    boolean stop(Stop cause, String reason, Instant interruptAt) {
        List<Runnable> actions;
        synchronized (this) {
            if (over || stopped != null) {
                return false;
            }
            stopped = new Stopped(cause, reason, interruptAt);
            actions = List.copyOf(onCancel);
        }
        if (!actions.isEmpty()) {
            // They are the handler's own, and whoever stops it must not depend on their coming to an end.
            Thread.ofVirtual().name("heddle-cancel").start(() -> actions.forEach(this::runQuietly));
        }
        return true;
    }

    synchronized void interrupt(Instant now) {
        if (!over && interruptedAt == null && thread != null) {
            interruptedAt = now;
            thread.interrupt();
        }
    }

    synchronized Optional<Instant> interruptedAt() {
        return Optional.ofNullable(interruptedAt);
    }

    /** Ends the attempt from its own thread; false where the watchdog gave up on it before. */
    synchronized boolean finish() {
        boolean first = !over;
        over = true;
        if (thread != null) {
            thread = null;
            // An interrupt that came too late must not hit the next job on this thread.
            Thread.interrupted();
        }
        return first;
    }

    /** Gives up on the attempt; false where it ended before. Its thread may go on for as long as it likes. */
    synchronized boolean abandon() {
        boolean first = !over;
        abandoned |= first;
        over = true;
        thread = null;
        return first;
    }

    synchronized boolean isAbandoned() {
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
    public boolean goesBack() {
        return stopped().filter(stop -> switch (stop.cause()) {
            case CLOSING, LAPSED, LOST -> true;
            case TIMEOUT, STALL, CANCEL -> false;
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
        try {
            action.run();
        } catch (RuntimeException e) {
            LOG.atWarn().setCause(e).addKeyValue("job", job().id()).log("Cancel action of job {} failed",
                    job().id());
        }
    }
}
