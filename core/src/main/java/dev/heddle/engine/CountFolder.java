package dev.heddle.engine;

import java.time.Duration;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.stats.CountStore;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Folds what transactions add to the counts of jobs: every second, or less often while nothing happens. */
final class CountFolder implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(CountFolder.class);
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofSeconds(8);

    private final CountStore store;
    private final Wakeup wakeup;
    private volatile boolean stopped;

    CountFolder(CountStore store, Environment env) {
        this.store = store;
        this.wakeup = new Wakeup(env);
    }

    @Override
    public String name() {
        return "count-folder";
    }

    @Override
    public void run() {
        Duration pause = SHORTEST;
        while (!stopped) {
            wakeup.await(pause);
            if (!stopped) {
                Duration longer = pause.multipliedBy(2);
                pause = fold() ? SHORTEST : longer.compareTo(LONGEST) < 0 ? longer : LONGEST;
            }
        }
    }

    private boolean fold() {
        try {
            return store.foldCounts() > 0;
        } catch (StoreException e) {
            // Only reading gets slower until the next time.
            LOG.debug("Could not fold the counts of jobs: {}", e.getMessage());
            return false;
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}
