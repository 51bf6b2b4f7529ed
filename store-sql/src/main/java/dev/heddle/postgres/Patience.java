package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long an answer of the server is waited for on a connection, which may be the application's, and gets back what it had. A
 * connection can be dead without anybody having said so, behind a firewall or after a fail-over; without a limit whoever
 * reads from it waits for ever.
 */
final class Patience implements AutoCloseable {

    /** For what may take its time. */
    static final Duration LONGEST = Duration.ofSeconds(60);
    private static final Logger LOG = LoggerFactory.getLogger(Patience.class);

    private final Connection connection;
    private final int before;
    private final boolean limited;

    private Patience(Connection connection, int before, boolean limited) {
        this.connection = connection;
        this.before = before;
        this.limited = limited;
    }

    static Patience of(Connection connection, Duration atMost) {
        int millis = Math.toIntExact(Math.max(1, atMost.toMillis()));
        try {
            int before = connection.getNetworkTimeout();
            boolean limits = before == 0 || before > millis;
            if (limits) {
                connection.setNetworkTimeout(Runnable::run, millis);
            }
            return new Patience(connection, before, limits);
        } catch (SQLException e) {
            LOG.debug("A connection that takes no time limit, or is lost: {}", e.getMessage());
            return new Patience(connection, 0, false);
        }
    }

    @Override
    public void close() {
        try {
            if (limited && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, before);
            }
        } catch (SQLException e) {
            LOG.debug("A connection is lost: {}", e.getMessage());
        }
    }
}
