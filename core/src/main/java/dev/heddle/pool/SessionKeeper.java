package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks every second for jobs that have waited too long for their session's worker, and every minute for idle sessions. */
final class SessionKeeper implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration SWEEP = Duration.ofMinutes(1);

    private final List<SessionLines> lines;
    private final InstantSource clock;
    private final Signal signal;
    private volatile boolean closed;

    SessionKeeper(List<SessionLines> lines, InstantSource clock) {
        this.lines = lines;
        this.clock = clock;
        this.signal = new Signal(clock);
    }

    @Override
    public void run() {
        Instant sweepAt = clock.instant().plus(SWEEP);
        while (!closed && !lines.isEmpty()) {
            signal.await(clock.instant().plus(LOOK));
            lines.forEach(SessionLines::refuseOverdue);
            if (!clock.instant().isBefore(sweepAt)) {
                sweepAt = clock.instant().plus(SWEEP);
                sweep();
            }
        }
    }

    private void sweep() {
        try {
            lines.forEach(SessionLines::sweep);
        } catch (StoreException e) {
            LOG.warn("Idle sessions are swept the next time: {}", e.getMessage());
        }
    }

    void close() {
        closed = true;
        signal.raise();
    }
}
