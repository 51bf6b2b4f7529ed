package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.job.DurationText;
import dev.heddle.pool.PoolSettings.Stopping;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes sure that attempts end. An attempt that exceeds its time, sends no heartbeat, or runs on a node whose lease
 * lapses is stopped, then interrupted, then abandoned. The watchdog sleeps until the earliest time at which something
 * can be due; a new attempt wakes it only if it is due earlier.
 */
public final class Watchdog implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(Watchdog.class);
    private static final Duration NEVER = Duration.ofSeconds(Long.MAX_VALUE);
    private static final String WORKER_STOPPED = "its worker was stopped";

    private final Set<RunningAttempt> running = ConcurrentHashMap.newKeySet();
    /** Workers that were stopped. Each may be about to start a job that it got before. */
    private final Set<String> stoppedWorkers = ConcurrentHashMap.newKeySet();
    private final Environment env;
    private final Stopping stopping;
    private final LeaseTimer lease;
    private final Consumer<RunningAttempt> onAbandon;
    private final Runnable onLapse;
    private final Wakeup wakeup;
    /** The {@link Environment#elapsed} time of the next check, like all times here: nobody can set that clock. */
    private volatile Duration wakeAt = NEVER;
    private volatile @Nullable String closingReason;
    private volatile ClosingTimes closingTimes;
    private volatile boolean stopped;

    /**
     * Creates a watchdog.
     *
     * @param onAbandon accepts each attempt that did not end after its interrupt
     * @param onLapse runs when the lease has lapsed
     */
    public Watchdog(Environment env, Stopping stopping, LeaseTimer lease, Consumer<RunningAttempt> onAbandon,
            Runnable onLapse) {
        this.env = env;
        this.stopping = stopping;
        this.closingTimes = ClosingTimes.draining(Duration.ZERO, stopping);
        this.lease = lease;
        this.onAbandon = onAbandon;
        this.onLapse = onLapse;
        this.wakeup = Wakeup.byClock(env);
    }

    /** Makes an attempt known whose start is about to be written, so that from then on it can be told to stop. */
    void expect(RunningAttempt run) {
        running.add(run);
    }

    /** Watches an attempt whose handler starts, and stops it at once if it must not run. */
    void watch(RunningAttempt run) {
        run.handlerStarts();
        running.add(run);
        if (lease.isLapsed()) {
            stop(run, StopCause.LAPSED, LeaseTimer.LAPSED);
        }
        String reason = closingReason;
        if (reason != null) {
            stop(run, StopCause.CLOSING, reason);
        }
        if (stoppedWorkers.contains(run.worker().id())) {
            stop(run, StopCause.CLOSING, WORKER_STOPPED);
        }
        if (nextCheck(run, env.elapsed()).compareTo(wakeAt) < 0) {
            wakeup.raise();
        }
    }

    /** Stops watching an attempt whose handler has returned, or did not start. */
    void unwatch(RunningAttempt run) {
        running.remove(run);
    }

    /** Returns the attempts that run or are about to, as a live view. */
    public Collection<RunningAttempt> running() {
        return running;
    }

    /** Stops all attempts, and each one that starts later. */
    void close(String reason, ClosingTimes times) {
        closingTimes = times;
        closingReason = reason;
        abandonExiting();
        running.forEach(run -> stop(run, StopCause.CLOSING, reason));
    }

    /**
     * Gives up on an attempt that ends the JVM, if that is why the pool closes. Waiting for it would be waiting for
     * this pool.
     */
    void abandonExiting() {
        for (RunningAttempt run : running) {
            if (run.isEndingJvm()) {
                run.stop(StopCause.EXIT, "it called System.exit", env.elapsed());
                abandon(run);
            }
        }
    }

    private void abandon(RunningAttempt run) {
        if (run.abandon()) {
            running.remove(run);
            onAbandon.accept(run);
        }
    }

    /** Stops the job that a worker runs, and the one that it is about to start. */
    public void stopWorker(String worker) {
        stoppedWorkers.add(worker);
        running.stream().filter(run -> run.worker().id().equals(worker))
                .forEach(run -> stop(run, StopCause.CLOSING, WORKER_STOPPED));
    }

    boolean isClosing() {
        return closingReason != null;
    }

    /** Tells an attempt to stop: cancels its token now, and interrupts it after a grace period. */
    public void stop(RunningAttempt run, StopCause cause, String reason) {
        if (run.stop(cause, reason, env.elapsed().plus(grace(run, cause)))) {
            wakeup.raise();
        }
    }

    private Duration grace(RunningAttempt run, StopCause cause) {
        Duration requested = run.registration().type().stopWithin().orElse(Duration.ZERO);
        return switch (cause) {
            // Other nodes start the job when the lease expires, or have done so: there is no more time, whatever the
            // type asks for.
            case LAPSED, LOST -> Collections.min(List.of(stopping.interruptAfter(), lease.stopGrace()));
            case CLOSING -> closingTimes.grace(Collections.max(List.of(stopping.closeTimeout(), requested)));
            default -> Collections.max(List.of(stopping.interruptAfter(), requested));
        };
    }

    @Override
    public String name() {
        return "watchdog";
    }

    @Override
    public void run() {
        while (!stopped) {
            wakeup.await(wakeAt.equals(NEVER) ? null : wakeAt.minus(env.elapsed()));
            // An attempt that is added from here on compares itself with NEVER and wakes this thread again.
            wakeAt = NEVER;
            Duration now = env.elapsed();
            Duration earliest = checkLease(now);
            for (RunningAttempt run : running) {
                check(run, now);
                Duration next = nextCheck(run, now);
                earliest = next.compareTo(earliest) < 0 ? next : earliest;
            }
            wakeAt = earliest;
        }
    }

    /** Stops all attempts if the lease has lapsed; returns when to check it again. */
    private Duration checkLease(Duration now) {
        Duration remaining = lease.remaining();
        if (remaining == null) {
            return NEVER;
        }
        if (remaining.isPositive()) {
            return now.plus(remaining);
        }
        if (lease.lapse()) {
            onLapse.run();
        }
        return NEVER;
    }

    /** Makes the watchdog check again, because the lease was renewed and lapses at another time. */
    public void wake() {
        wakeup.raise();
    }

    private void check(RunningAttempt run, Duration now) {
        if (!run.handlerStarted()) {
            return;
        }
        Optional<RunningAttempt.Stopped> stopped = run.stopped();
        if (stopped.isEmpty()) {
            if (now.compareTo(run.timesOutAt()) >= 0) {
                stop(run, StopCause.TIMEOUT,
                        "timed out after " + DurationText.of(Duration.between(run.startedAt(), run.deadline())));
            } else if (isStalled(run, now)) {
                Duration silence = now.minus(run.lastHeartbeat());
                LOG.atWarn().addKeyValue("worker", run.worker().id()).addKeyValue("job", run.job().id())
                        .addKeyValue("elapsed", silence)
                        .log("Worker {} is stalled: no heartbeat of job {} for {}", run.worker().id(), run.job().id(),
                                silence);
                stop(run, StopCause.STALL, "stalled: no heartbeat for " + DurationText.of(silence));
            }
        } else if (run.interruptedAt().isEmpty()) {
            if (now.compareTo(stopped.get().interruptAt()) >= 0) {
                run.interrupt(now);
            }
        } else if (now.compareTo(run.interruptedAt().get().plus(closingTimes.abandonAfter())) >= 0) {
            abandon(run);
        }
    }

    private static boolean isStalled(RunningAttempt run, Duration now) {
        return run.stallAfter().filter(limit -> now.minus(run.lastHeartbeat()).compareTo(limit) > 0).isPresent();
    }

    private Duration nextCheck(RunningAttempt run, Duration now) {
        if (!run.handlerStarted()) {
            return NEVER;
        }
        Optional<RunningAttempt.Stopped> stopped = run.stopped();
        if (stopped.isPresent()) {
            return run.interruptedAt().map(at -> at.plus(closingTimes.abandonAfter()))
                    .orElse(stopped.get().interruptAt());
        }
        Duration timesOutAt = run.timesOutAt();
        return run.stallAfter().map(limit -> now.plus(limit.dividedBy(2))).filter(at -> at.compareTo(timesOutAt) < 0)
                .orElse(timesOutAt);
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}
