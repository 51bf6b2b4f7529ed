package dev.heddle.engine;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.store.Retention;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes ended jobs that are older than the retention, once a minute. */
final class Pruner implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(Pruner.class);
    private static final Duration INTERVAL = Duration.ofMinutes(1);
    private static final int MAX_BATCHES = 200;

    private final Store store;
    private final InstantSource clock;
    private final Retention retention;
    private final Wakeup wakeup;
    private volatile boolean stopped;

    Pruner(Store store, Environment env, Retention retention) {
        this.store = store;
        this.clock = env.clock();
        this.retention = retention;
        this.wakeup = Wakeup.byClock(env);
    }

    @Override
    public String name() {
        return "pruner";
    }

    @Override
    public void run() {
        while (!stopped) {
            wakeup.await(INTERVAL);
            if (!stopped) {
                prune(clock.instant());
            }
        }
    }

    /** Deletes in small transactions, because a large one would keep others from committing. */
    private void prune(Instant now) {
        long pruned = 0;
        try {
            for (int batch = 0; batch < MAX_BATCHES && !stopped; batch++) {
                int jobs = store.prune(retention, now);
                pruned += jobs;
                if (jobs < retention.batch()) {
                    break;
                }
            }
        } catch (StoreException e) {
            LOG.warn("Could not delete ended jobs; trying again in a minute: {}", e.getMessage());
        }
        if (pruned > 0) {
            LOG.atInfo().addKeyValue("jobs", pruned).log("Deleted {} ended jobs", pruned);
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}
