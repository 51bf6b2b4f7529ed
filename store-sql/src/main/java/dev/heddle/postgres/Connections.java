package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

import javax.sql.DataSource;

import dev.heddle.sql.Session;
import dev.heddle.sql.SqlStore.Work;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way to the server: borrowed connections, transactions, and another try where PostgreSQL asks for one. */
final class Connections implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);
    private static final int MOST_TRIES = 10;
    /**
     * A node that stands still in the middle of a transaction keeps its locks, and others could wait for them for as
     * long as its connection lives. Only for this transaction, since the connection may be the application's.
     */
    private static final String END_WHEN_IDLE = "SET LOCAL idle_in_transaction_session_timeout = '5s'";

    private final DataSource source;
    private final @Nullable AutoCloseable owned;
    private final PostgresDialect dialect;
    private final Server server;
    private volatile boolean closed;

    /** Where the owned thing is given, it is closed with this. */
    Connections(DataSource source, @Nullable AutoCloseable owned, PostgresDialect dialect, Server server) {
        this.source = source;
        this.owned = owned;
        this.dialect = dialect;
        this.server = server;
    }

    /** Thrown by work that lost a race and would win it, or see the winner, at the next try. */
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

    Server server() {
        return server;
    }

    /** One transaction. */
    <T> T write(Work<T> work) {
        return tried(work, false, Patience.LONGEST);
    }

    /** Each statement is a transaction of its own: for work that is one statement, or only reads. */
    <T> T once(Work<T> work) {
        return once(Patience.LONGEST, work);
    }

    /** The same, given up where an answer takes longer. */
    <T> T once(Duration atMost, Work<T> work) {
        return tried(work, true, atMost);
    }

    private <T> T tried(Work<T> work, boolean autoCommit, Duration atMost) {
        for (int tries = 1;; tries++) {
            try (Connection connection = borrow(); Patience _ = Patience.of(connection, atMost)) {
                return autoCommit ? single(connection, work) : transaction(connection, work);
            } catch (SQLException e) {
                if (!PostgresErrors.asksForAnotherTry(e) || tries == MOST_TRIES) {
                    throw closed ? closedException() : PostgresErrors.translate(server, e);
                }
                LOG.debug("Trying a transaction again ({}): {}", tries, e.getMessage());
            }
        }
    }

    private <T> T single(Connection connection, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        if (!before) {
            connection.setAutoCommit(true);
        }
        Session session = new Session(connection, dialect);
        try {
            return work.run(session);
        } finally {
            session.forgetStatements();
            if (!before) {
                connection.setAutoCommit(false);
            }
        }
    }

    private <T> T transaction(Connection connection, Work<T> work) throws SQLException {
        boolean before = connection.getAutoCommit();
        connection.setAutoCommit(false);
        Session session = new Session(connection, dialect);
        try {
            session.update(END_WHEN_IDLE);
            T result = work.run(session);
            session.forgetStatements();
            connection.commit();
            return result;
        } catch (SQLException | RuntimeException e) {
            rollback(connection, e);
            throw e;
        } finally {
            restore(connection, before);
        }
    }

    private static void rollback(Connection connection, Exception cause) {
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
            LOG.debug("A connection is lost: {}", e.getMessage());
        }
    }

    /** Work within somebody else's transaction, which stays open. */
    <T> T within(Connection connection, Work<T> work) throws SQLException {
        requireOpen();
        Session session = new Session(connection, dialect);
        try {
            return work.run(session);
        } finally {
            session.forgetStatements();
        }
    }

    private void requireOpen() {
        if (closed) {
            throw closedException();
        }
    }

    private StoreException closedException() {
        return new StoreException(Kind.CLOSED, "the store on " + server + " is closed; open it again");
    }

    @Override
    public void close() {
        closed = true;
        if (owned != null) {
            try {
                owned.close();
            } catch (Exception e) {
                throw new IllegalStateException("cannot close the connections to " + server, e);
            }
        }
    }
}
