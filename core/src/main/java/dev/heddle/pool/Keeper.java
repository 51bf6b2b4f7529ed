package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import dev.heddle.store.NodeRecord;
import dev.heddle.store.Retention;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renews the node's lease with a snapshot of its workers, and prunes what has outlived the retention. */
final class Keeper implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Keeper.class);
    private static final Duration PRUNE_EVERY = Duration.ofMinutes(1);
    private static final int MOST_BATCHES = 200;

    private final Store store;
    private final InstantSource clock;
    private final Retention retention;
    private final Duration renewEvery;
    private final Snapshots snapshots;
    private final Signal signal;
    private volatile boolean closed;

    /** The node as its next renewal should show it. */
    interface Snapshots {
        NodeRecord take(Instant now);
    }

    Keeper(Store store, InstantSource clock, Retention retention, Duration renewEvery, Snapshots snapshots) {
        this.store = store;
        this.clock = clock;
        this.retention = retention;
        this.renewEvery = renewEvery;
        this.snapshots = snapshots;
        this.signal = new Signal(clock);
    }

    @Override
    public void run() {
        Instant renewAt = clock.instant();
        Instant pruneAt = clock.instant().plus(PRUNE_EVERY);
        while (!closed) {
            Instant now = clock.instant();
            if (!now.isBefore(renewAt)) {
                attempt("renew the lease", () -> store.renew(snapshots.take(now)));
                renewAt = now.plus(renewEvery);
            }
            if (!now.isBefore(pruneAt)) {
                attempt("prune ended jobs", () -> prune(now));
                pruneAt = now.plus(PRUNE_EVERY);
            }
            signal.await(renewAt.isBefore(pruneAt) ? renewAt : pruneAt);
        }
    }

    /** Small transactions, so that a large clean-up never keeps the others from committing. */
    private void prune(Instant now) {
        long pruned = 0;
        for (int batch = 0; batch < MOST_BATCHES && !closed; batch++) {
            int jobs = store.prune(retention, now);
            pruned += jobs;
            if (jobs < retention.batch()) {
                break;
            }
        }
        if (pruned > 0) {
            LOG.atInfo().addKeyValue("jobs", pruned).log("Pruned {} ended jobs", pruned);
        }
    }

    private static void attempt(String what, Runnable action) {
        try {
            action.run();
        } catch (StoreException e) {
            LOG.warn("Could not {}, trying again later: {}", what, e.getMessage());
        }
    }

    void close() {
        closed = true;
        signal.raise();
    }
}
