package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

import dev.heddle.store.SessionStore.Binding;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Looks every second for jobs that have waited too long for their session's worker, and every minute for idle sessions. */
final class SessionKeeper implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(SessionKeeper.class);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration SWEEP = Duration.ofMinutes(1);

    private final @Nullable SessionDesk desk;
    private final List<SessionLines> lines;
    private final InstantSource clock;
    private final Signal signal;
    private Instant sweepAt;
    private volatile boolean closed;

    /**
     * One.
     *
     * @param desk null where no type has sessions; then there are no lines, either
     */
    SessionKeeper(@Nullable SessionDesk desk, List<SessionLines> lines, InstantSource clock) {
        this.desk = desk;
        this.lines = lines;
        this.clock = clock;
        this.signal = new Signal(clock);
        this.sweepAt = clock.instant().plus(SWEEP);
    }

    @Override
    public void run() {
        while (!closed && desk != null) {
            signal.await(clock.instant().plus(LOOK));
            lines.forEach(SessionLines::refuseOverdue);
            if (!clock.instant().isBefore(sweepAt)) {
                sweepAt = clock.instant().plus(SWEEP);
                sweep(desk);
            }
        }
    }

    private void sweep(SessionDesk sessions) {
        try {
            List<Binding> idle = sessions.sweep();
            lines.forEach(line -> line.expired(idle));
        } catch (StoreException e) {
            LOG.warn("Idle sessions are swept the next time: {}", e.getMessage());
        }
    }

    void close() {
        closed = true;
        signal.raise();
    }
}
