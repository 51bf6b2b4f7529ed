package dev.heddle.engine;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.dispatch.Dispatcher;
import dev.heddle.engine.execute.AttemptStopper;
import dev.heddle.engine.execute.ClosingTimes;
import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.support.BackgroundServices;
import dev.heddle.env.Environment;
import dev.heddle.job.Limits;
import dev.heddle.pool.PoolSettings.Stopping;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends everything a node runs: stops claiming, releases jobs that have not started, lets running attempts finish
 * while it drains, then tells them to stop, and writes how each attempt ended.
 *
 * <p>It ends in bounded time whatever handlers do, because it never waits for one. After the closing time the
 * watchdog interrupts a handler, and then abandons it if that does not help. Attempts that even so have not ended are
 * recovered by the next node that opens.
 */
final class Closing {

    private static final Logger LOG = LoggerFactory.getLogger(Closing.class);
    private static final String REASON = "closing";
    /** How long to wait for a claim that is under way. If it takes longer, its jobs are released when it returns. */
    private static final Duration CLAIM_TIMEOUT = Duration.ofSeconds(2);
    /** Extra time for the commit of the last ends and for listeners. */
    private static final Duration MARGIN = Duration.ofSeconds(5);

    private final Dispatcher dispatcher;
    private final AttemptStopper stopper;
    private final Ledger ledger;
    private final BackgroundServices services;
    private final Stopping stopping;
    private final Environment env;
    /** How long to drain, and how to stop what runs then; null until {@link #limit} is called. */
    private final AtomicReference<@Nullable Limit> limit = new AtomicReference<>();

    /** The times to keep from now on, and when the drain ends. */
    private record Limit(ClosingTimes times, long drainEndsAt) {
        Limit earlier(@Nullable Limit other) {
            return other == null || drainEndsAt - other.drainEndsAt < 0 ? this : other;
        }
    }

    Closing(Dispatcher dispatcher, AttemptStopper stopper, Ledger ledger, BackgroundServices services,
            Stopping stopping, Environment env) {
        this.dispatcher = dispatcher;
        this.stopper = stopper;
        this.ledger = ledger;
        this.services = services;
        this.stopping = stopping;
        this.env = env;
    }

    /** Sets how long closing may take, or shortens it if it has begun. */
    void limit(Function<Stopping, ClosingTimes> chooseTimes) {
        ClosingTimes times = chooseTimes.apply(stopping);
        Limit added = new Limit(times, env.nanoTime() + Limits.waitNanos(times.drain()));
        limit.updateAndGet(added::earlier);
        groups().forEach(WorkerGroup::recheck);
    }

    /** Returns once no attempt is left, or the time is over. */
    void run() {
        boolean claimingStopped = services.stop(dispatcher, CLAIM_TIMEOUT);
        groups().forEach(WorkerGroup::close);
        stopper.releaseWaiting(REASON);
        stopper.abandonExiting();
        ClosingTimes times = drain();
        stopper.stopForClosing(REASON, times);
        Duration grace = times.grace(stopping.closeTimeout());
        awaitEmpty(env.nanoTime() + Limits.waitNanos(grace.plus(times.abandonAfter()).plus(MARGIN)), () -> false);
        for (WorkerGroup group : groups()) {
            if (group.size() > 0) {
                LOG.warn("{} workers of group {} did not stop in time and are abandoned", group.size(), group.name());
            }
        }
        if (!claimingStopped) {
            services.join(dispatcher, CLAIM_TIMEOUT);
            stopper.releaseWaiting(REASON);
        }
        flush(grace);
    }

    /** Lets attempts finish until the drain ends; returns how to stop the others. */
    private ClosingTimes drain() {
        while (true) {
            Limit current = Objects.requireNonNull(limit.get());
            awaitEmpty(current.drainEndsAt, () -> !current.equals(limit.get()));
            if (current.equals(limit.get())) {
                return current.times;
            }
        }
    }

    private List<WorkerGroup> groups() {
        return stopper.groups();
    }

    private void awaitEmpty(long deadline, BooleanSupplier enough) {
        for (WorkerGroup group : groups()) {
            group.awaitEmpty(Duration.ofNanos(deadline - env.nanoTime()), enough);
        }
    }

    /** Gives a failing store some time to come back, and a slow one a moment for its last write. */
    private void flush(Duration patience) {
        if (!services.stop(ledger, patience)) {
            ledger.stopRetrying();
            services.join(ledger, MARGIN);
        }
    }
}
