package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import dev.heddle.store.Retention;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Prunes what has outlived the retention, once a minute. */
final class Pruner implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(Pruner.class);
    private static final Duration EVERY = Duration.ofMinutes(1);
    private static final int MOST_BATCHES = 200;

    private final Store store;
    private final InstantSource clock;
    private final Retention retention;
    private final Signal signal;
    private volatile boolean closed;

    Pruner(Store store, InstantSource clock, Retention retention) {
        this.store = store;
        this.clock = clock;
        this.retention = retention;
        this.signal = new Signal(clock);
    }

    @Override
    public void run() {
        while (!closed) {
            signal.await(clock.instant().plus(EVERY));
            if (!closed) {
                prune(clock.instant());
            }
        }
    }

    /** Small transactions, so that a large clean-up never keeps the others from committing. */
    private void prune(Instant now) {
        long pruned = 0;
        try {
            for (int batch = 0; batch < MOST_BATCHES && !closed; batch++) {
                int jobs = store.prune(retention, now);
                pruned += jobs;
                if (jobs < retention.batch()) {
                    break;
                }
            }
        } catch (StoreException e) {
            LOG.warn("Could not prune ended jobs, trying again later: {}", e.getMessage());
        }
        if (pruned > 0) {
            LOG.atInfo().addKeyValue("jobs", pruned).log("Pruned {} ended jobs", pruned);
        }
    }

    void close() {
        closed = true;
        signal.raise();
    }
}
