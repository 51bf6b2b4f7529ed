package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits the time that a connection waits for the server, and restores the previous limit when it is closed, because
 * the connection may be the application's. Behind a firewall or after a fail-over, a connection can be dead without
 * an error; without a limit, a read from it would wait forever.
 */
final class NetworkTimeout implements AutoCloseable {

    /** The limit for everything that needs no shorter one. */
    static final Duration LONGEST = Duration.ofSeconds(60);
    /** No limit, for work that takes as long as the tables are large. */
    static final Duration NONE = Duration.ZERO;
    private static final Logger LOG = LoggerFactory.getLogger(NetworkTimeout.class);

    private final Connection connection;
    private final int before;
    private final boolean limited;

    private NetworkTimeout(Connection connection, int before, boolean limited) {
        this.connection = connection;
        this.before = before;
        this.limited = limited;
    }

    static NetworkTimeout limit(Connection connection, Duration timeout) {
        int millis = timeout.isZero() ? 0 : Math.toIntExact(Math.max(1, timeout.toMillis()));
        try {
            int before = connection.getNetworkTimeout();
            boolean limits = before != millis && (millis == 0 || before == 0 || before > millis);
            if (limits) {
                connection.setNetworkTimeout(Runnable::run, millis);
            }
            return new NetworkTimeout(connection, before, limits);
        } catch (SQLException e) {
            LOG.debug("Cannot set the network timeout of a connection: {}", e.getMessage());
            return new NetworkTimeout(connection, 0, false);
        }
    }

    @Override
    public void close() {
        try {
            if (limited && !connection.isClosed()) {
                connection.setNetworkTimeout(Runnable::run, before);
            }
        } catch (SQLException e) {
            LOG.debug("Cannot restore the network timeout of a connection: {}", e.getMessage());
        }
    }
}
