package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.heddle.job.SpanText;
import dev.heddle.pool.PoolSettings.Stopping;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that attempts end: over their time, silent for too long, or on a node whose lease is about to end,
 * they are stopped, then interrupted, then given up. Sleeps until the earliest moment at which something could be due; a new attempt wakes it only if
 * that moment is earlier.
 */
final class Watchdog implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final String WORKER_STOPPED = "its worker is stopped";

    private final Set<AttemptRun> running = ConcurrentHashMap.newKeySet();
    /** Workers that were stopped, each of which may be about to begin what it was given before. */
    private final Set<String> stoppedWorkers = ConcurrentHashMap.newKeySet();
    private final InstantSource clock;
    private final Stopping stopping;
    private final Lease lease;
    private final Consumer<AttemptRun> giveUp;
    private final Runnable onLapse;
    private final Signal signal;
    private volatile Instant wakeAt = Instant.MAX;
    private volatile @Nullable String closing;
    private volatile boolean closed;

    Watchdog(InstantSource clock, Stopping stopping, Lease lease, Consumer<AttemptRun> giveUp,
            Runnable onLapse) {
        this.clock = clock;
        this.stopping = stopping;
        this.lease = lease;
        this.giveUp = giveUp;
        this.onLapse = onLapse;
        this.signal = new Signal(clock);
    }

    void watch(AttemptRun run) {
        running.add(run);
        if (lease.isLapsed()) {
            stop(run, Stop.LAPSED, Lease.LAPSED);
        }
        String reason = closing;
        if (reason != null) {
            stop(run, Stop.CLOSING, reason);
        }
        if (stoppedWorkers.contains(run.worker().id())) {
            stop(run, Stop.CLOSING, WORKER_STOPPED);
        }
        if (nextCheck(run, run.startedAt()).isBefore(wakeAt)) {
            signal.raise();
        }
    }

    void unwatch(AttemptRun run) {
        running.remove(run);
    }

    Collection<AttemptRun> running() {
        return running;
    }

    /** Tells all attempts to stop, and every one that is still to come. */
    void closing(String reason) {
        closing = reason;
        running.forEach(run -> stop(run, Stop.CLOSING, reason));
    }

    /** Tells what a worker runs to stop, and what it is about to begin. */
    void stopWorker(String worker) {
        stoppedWorkers.add(worker);
        running.stream().filter(run -> run.worker().id().equals(worker))
                .forEach(run -> stop(run, Stop.CLOSING, WORKER_STOPPED));
    }

    boolean isClosing() {
        return closing != null;
    }

    /** Tells an attempt to stop, by its token first. */
    void stop(AttemptRun run, Stop cause, String reason) {
        if (run.stop(cause, reason, clock.instant().plus(grace(run, cause)))) {
            signal.raise();
        }
    }

    private Duration grace(AttemptRun run, Stop cause) {
        Duration needed = run.registration().type().stopWithin().orElse(Duration.ZERO);
        return switch (cause) {
            // Others start the job when the lease ends, or have: there is no more time than that, whatever its type needs.
            case LAPSED, LOST -> Collections.min(List.of(stopping.interruptAfter(), lease.toStop()));
            case CLOSING -> Collections.max(List.of(stopping.closing(), needed));
            default -> Collections.max(List.of(stopping.interruptAfter(), needed));
        };
    }

    @Override
    public void run() {
        while (!closed) {
            signal.await(wakeAt.equals(Instant.MAX) ? null : wakeAt);
            // An attempt that is added from here on compares itself with MAX and raises the signal again.
            wakeAt = Instant.MAX;
            Instant now = clock.instant();
            Instant earliest = checkLease(now);
            for (AttemptRun run : running) {
                check(run, now);
                Instant next = nextCheck(run, now);
                earliest = next.isBefore(earliest) ? next : earliest;
            }
            wakeAt = earliest;
        }
    }

    /** When to look at the lease again. */
    private Instant checkLease(Instant now) {
        Duration left = lease.left();
        if (left == null) {
            return Instant.MAX;
        }
        if (left.isPositive()) {
            return now.plus(left);
        }
        if (lease.lapse()) {
            onLapse.run();
        }
        return Instant.MAX;
    }

    /** The lease was renewed: there is a new moment at which it could lapse. */
    void wake() {
        signal.raise();
    }

    private void check(AttemptRun run, Instant now) {
        Optional<AttemptRun.Stopped> stopped = run.stopped();
        if (stopped.isEmpty()) {
            if (!now.isBefore(run.deadline())) {
                stop(run, Stop.TIMEOUT,
                        "timed out after " + SpanText.of(Duration.between(run.startedAt(), run.deadline())));
            } else if (isStalled(run, now)) {
                Duration silence = Duration.between(run.lastBeat(), now);
                LOG.atWarn().addKeyValue("worker", run.worker().id()).addKeyValue("job", run.job().id())
                        .addKeyValue("lastBeat", run.lastBeat()).addKeyValue("elapsed", silence)
                        .log("Worker {} is stalled: job {} silent for {}", run.worker().id(), run.job().id(),
                                silence);
                stop(run, Stop.STALL, "stalled: silent for " + SpanText.of(silence));
            }
        } else if (run.interruptedAt().isEmpty()) {
            if (!now.isBefore(stopped.get().interruptAt())) {
                run.interrupt(now);
            }
        } else if (!now.isBefore(run.interruptedAt().get().plus(stopping.abandonAfter())) && run.abandon()) {
            running.remove(run);
            giveUp.accept(run);
        }
    }

    private static boolean isStalled(AttemptRun run, Instant now) {
        return run.stallAfter().filter(limit -> now.isAfter(run.lastBeat().plus(limit))).isPresent();
    }

    private Instant nextCheck(AttemptRun run, Instant now) {
        Optional<AttemptRun.Stopped> stopped = run.stopped();
        if (stopped.isPresent()) {
            return run.interruptedAt().map(at -> at.plus(stopping.abandonAfter()))
                    .orElse(stopped.get().interruptAt());
        }
        Instant deadline = run.deadline();
        return run.stallAfter().map(limit -> now.plus(limit.dividedBy(2))).filter(at -> at.isBefore(deadline))
                .orElse(deadline);
    }

    void close() {
        closed = true;
        signal.raise();
    }
}
