package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import dev.heddle.sql.SqlStore.Work;
import dev.heddle.sql.Tx;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Borrows connections, runs transactions on them, and repeats those that fail with a conflict. */
final class Connections implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final int MAX_TRIES = 10;

    private final DataSource source;
    private final @Nullable AutoCloseable owned;
    private final PostgresDialect dialect;
    private final DatabaseAddress address;
    private volatile boolean closed;

    /** Creates connections to a database. Closes {@code owned} with them, unless it is null. */
    Connections(DataSource source, @Nullable AutoCloseable owned, PostgresDialect dialect, DatabaseAddress address) {
        this.source = source;
        this.owned = owned;
        this.dialect = dialect;
        this.address = address;
    }

    /** Thrown by work that lost a race, and that succeeds or sees the winner at the next try. */
    static final class TryAgain extends SQLException {
        private static final long serialVersionUID = 1;

        TryAgain(String reason) {
            super(reason, "40001");
        }
    }

    Connection borrow() throws SQLException {
        requireOpen();
        return source.getConnection();
    }

    DatabaseAddress address() {
        return address;
    }

    /** Runs work in one transaction. */
    <T> T write(Work<T> work) {
        return withRetries(work, false, NetworkTimeout.LONGEST);
    }

    /** Runs work in one transaction that may take any time. */
    <T> T migrate(Work<T> work) {
        return withRetries(tx -> {
            for (String lift : TimeLimits.NONE_FOR_TRANSACTION) {
                tx.update(lift);
            }
            return work.run(tx);
        }, false, NetworkTimeout.NONE);
    }

    /** Runs work with a transaction for each statement: for work that is one statement, or only reads. */
    <T> T once(Work<T> work) {
        return once(NetworkTimeout.LONGEST, work);
    }

    /** Does the same, and fails if the server takes longer to answer. */
    <T> T once(Duration timeout, Work<T> work) {
        return withRetries(work, true, timeout);
    }

    private <T> T withRetries(Work<T> work, boolean autoCommit, Duration timeout) {
        for (int tries = 1;; tries++) {
            try (Connection connection = borrow(); NetworkTimeout _ = NetworkTimeout.limit(connection, timeout)) {
                return autoCommit ? single(connection, work) : transaction(connection, work);
            } catch (SQLException e) {
                if (!PostgresErrors.isConflict(e) || tries == MAX_TRIES) {
                    throw closed ? closedException() : PostgresErrors.translate(address, e);
                }
                LOG.debug("Repeating a transaction after try {}: {}", tries, e.getMessage());
            }
        }
    }

    private <T> T single(Connection connection, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        if (!before) {
            connection.setAutoCommit(true);
        }
        Tx tx = new Tx(connection, dialect);
        try {
            return work.run(tx);
        } finally {
            tx.closeStatements();
            if (!before) {
                connection.setAutoCommit(false);
            }
        }
    }

    private <T> T transaction(Connection connection, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(false);
        Tx tx = new Tx(connection, dialect);
        try {
            if (!dialect.hasOwnConnections()) {
                tx.update(TimeLimits.FOR_TRANSACTION);
            }
            T result = work.run(tx);
            tx.closeStatements();
            connection.commit();
            return result;
        } catch (Throwable e) {
            // Also after errors: restoring auto-commit below would commit what the transaction has left.
            rollback(connection, e);
            throw e;
        } finally {
            restore(connection, before);
        }
    }

    private static void rollback(Connection connection, Throwable cause) {
        try {
            connection.rollback();
        } catch (SQLException e) {
            cause.addSuppressed(e);
        }
    }

    private static void restore(Connection connection, boolean autoCommit) {
        try {
            connection.setAutoCommit(autoCommit);
        } catch (SQLException e) {
            LOG.debug("Cannot restore a connection: {}", e.getMessage());
        }
    }

    /** Runs work within an open transaction of the caller, and leaves it open. */
    <T> T within(Connection connection, Work<T> work) throws SQLException {
        requireOpen();
        Tx tx = new Tx(connection, dialect);
        try {
            return work.run(tx);
        } finally {
            tx.closeStatements();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private StoreException closedException() {
        return new StoreException(Kind.CLOSED, "the store on " + address + " is closed; open it again");
    }

    @Override
    public void close() {
        closed = true;
        if (owned != null) {
            try {
                owned.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close the connections to " + address, e);
            }
        }
    }
}
