package dev.heddle.engine;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import dev.heddle.engine.commit.Ledger;
import dev.heddle.engine.dispatch.Dispatcher;
import dev.heddle.engine.execute.AttemptStopper;
import dev.heddle.engine.execute.WorkerGroup;
import dev.heddle.engine.support.BackgroundServices;
import dev.heddle.env.Environment;
import dev.heddle.job.Limits;
import dev.heddle.pool.PoolSettings.Stopping;
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
    private final AtomicBoolean drainEnded = new AtomicBoolean();

    Closing(Dispatcher dispatcher, AttemptStopper stopper, Ledger ledger, BackgroundServices services,
            Stopping stopping, Environment env) {
        this.dispatcher = dispatcher;
        this.stopper = stopper;
        this.ledger = ledger;
        this.services = services;
        this.stopping = stopping;
        this.env = env;
    }

    /** Returns once no attempt is left, or the time is over. */
    void run(Duration drain) {
        boolean claimingStopped = services.stop(dispatcher, CLAIM_TIMEOUT);
        groups().forEach(WorkerGroup::close);
        stopper.releaseWaiting(REASON);
        awaitEmpty(drain, drainEnded::get);
        stopper.stopForClosing(REASON);
        awaitEmpty(stopping.closeTimeout().plus(stopping.abandonAfter()).plus(MARGIN), () -> false);
        for (WorkerGroup group : groups()) {
            if (group.size() > 0) {
                LOG.warn("{} workers of group {} did not stop in time and are abandoned", group.size(), group.name());
            }
        }
        if (!claimingStopped) {
            services.join(dispatcher, CLAIM_TIMEOUT);
            stopper.releaseWaiting(REASON);
        }
        flush();
    }

    /** Tells all attempts to stop that a drain would still let finish. */
    void endDrain() {
        drainEnded.set(true);
        groups().forEach(WorkerGroup::recheck);
    }

    private List<WorkerGroup> groups() {
        return stopper.groups();
    }

    private void awaitEmpty(Duration timeout, BooleanSupplier enough) {
        long deadline = env.nanoTime() + Limits.waitNanos(timeout);
        for (WorkerGroup group : groups()) {
            group.awaitEmpty(Duration.ofNanos(deadline - env.nanoTime()), enough);
        }
    }

    /** Gives a failing store the closing time to come back, and a slow one a moment for its last write. */
    private void flush() {
        if (!services.stop(ledger, stopping.closeTimeout())) {
            ledger.stopRetrying();
            services.join(ledger, MARGIN);
        }
    }
}
