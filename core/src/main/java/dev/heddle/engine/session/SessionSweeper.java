package dev.heddle.engine.session;

import java.time.Duration;
import java.util.List;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Fails jobs that have waited too long for their session's worker, every second, and ends idle sessions, every
 * minute.
 */
public final class SessionSweeper implements BackgroundService {

    private static final Logger LOG = LoggerFactory.getLogger(SessionSweeper.class);
    private static final Duration CHECK_INTERVAL = Duration.ofSeconds(1);
    private static final Duration SWEEP_INTERVAL = Duration.ofMinutes(1);

    private final SessionTable table;
    private final List<SessionQueues> queues;
    private final Environment env;
    private final Wakeup wakeup;
    private Duration sweepAt;
    private volatile boolean stopped;

    /** Creates the sweeper of a node. */
    public SessionSweeper(SessionTable table, List<SessionQueues> queues, Environment env) {
        this.table = table;
        this.queues = queues;
        this.env = env;
        this.wakeup = Wakeup.byClock(env);
        this.sweepAt = env.elapsed().plus(SWEEP_INTERVAL);
    }

    @Override
    public String name() {
        return "session-sweeper";
    }

    @Override
    public void run() {
        while (!stopped) {
            wakeup.await(CHECK_INTERVAL);
            queues.forEach(SessionQueues::failOverdue);
            Duration now = env.elapsed();
            if (now.compareTo(sweepAt) >= 0) {
                sweepAt = now.plus(SWEEP_INTERVAL);
                sweep();
            }
        }
    }

    private void sweep() {
        try {
            List<Binding> idle = table.sweep();
            queues.forEach(queue -> queue.expired(idle));
        } catch (StoreException e) {
            LOG.warn("Could not end idle sessions; trying again in a minute: {}", e.getMessage());
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}
