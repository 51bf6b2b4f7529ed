package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.sql.Session;
import dev.heddle.sql.SqlStore.Work;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.sqlite.SQLiteConfig;

/**
 * The file and its connections. Writing goes through one connection, one transaction at a time: two writers on
 * SQLite only stall each other. Reading happens beside it, on snapshots that the write-ahead log gives.
 *
 * <p>{@code synchronous=FULL} makes every commit wait for its fsync, so that what was acknowledged survives a loss
 * of power, not only of the process.
 */
final class Database implements AutoCloseable {

    private static final int SPARE_READERS = 4;

    private final Path file;
    private final FileClaim claim;
    private final Session writer;
    private final ReentrantLock writing = new ReentrantLock();
    private final Deque<Session> readers = new ArrayDeque<>();
    private final Runnable onRollback;
    private volatile boolean closed;

    private Database(Path file, FileClaim claim, Session writer, Runnable onRollback) {
        this.onRollback = onRollback;
        this.file = file;
        this.claim = claim;
        this.writer = writer;
    }

    /** The callback hears of every transaction that did not commit, under the write lock. */
    static Database open(Path path, Runnable onRollback) {
        Path file = path.toAbsolutePath().normalize();
        if (Files.isDirectory(file)) {
            throw new StoreException(Kind.UNREACHABLE,
                    file + " is a directory; give a file in it, such as " + file.resolve("heddle.db"));
        }
        createParent(file);
        FileClaim claim = FileClaim.of(file);
        @Nullable Connection connection = null;
        try {
            connection = connect(file, false);
            Session writer = new Session(connection, SqliteDialect.INSTANCE);
            Migrations.run(writer, file);
            return new Database(file, claim, writer, onRollback);
        } catch (SQLException e) {
            abandon(connection, claim, e);
            throw SqliteErrors.translate(file, e);
        } catch (RuntimeException e) {
            abandon(connection, claim, e);
            throw e;
        }
    }

    /** Only looks, and needs nobody's leave for it. */
    static Session reader(Path file) throws SQLException {
        return new Session(connect(file, true), SqliteDialect.INSTANCE);
    }

    private static void createParent(Path file) {
        try {
            if (file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
        } catch (IOException e) {
            throw new StoreException(Kind.UNREACHABLE,
                    "cannot create the directory of " + file + ": " + e.getMessage(),
                    e);
        }
    }

    private static Connection connect(Path file, boolean reading) throws SQLException {
        SqliteLibrary.keepInCache();
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(5_000);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setPragma(SQLiteConfig.Pragma.CACHE_SIZE, reading ? "-2000" : "-16000");
        Connection connection = config.createConnection("jdbc:sqlite:" + file);
        try (var statement = connection.createStatement()) {
            statement.execute(
                    reading ? "PRAGMA query_only = 1" : "PRAGMA wal_autocheckpoint = " + WriteAheadLog.PAGES);
        }
        return connection;
    }

    private static void abandon(@Nullable Connection connection, FileClaim claim, Exception cause) {
        try {
            claim.close();
            if (connection != null) {
                connection.close();
            }
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    Path file() {
        return file;
    }

    /** For whoever is going to commit often, and not for one command. */
    void expectManyCommits() {
        WriteAheadLog.lengthen(file);
    }

    /** One transaction: all of the work is durable when this returns, or none of it has happened. */
    <T> T write(Work<T> work) {
        writing.lock();
        try {
            requireOpen();
            return transaction(writer, work);
        } catch (SQLException e) {
            onRollback.run();
            throw SqliteErrors.translate(file, e);
        } catch (RuntimeException e) {
            onRollback.run();
            throw e;
        } finally {
            writing.unlock();
        }
    }

    /**
     * BEGIN and COMMIT are said here and not left to the driver: on a full disk SQLite rolls back by itself, and
     * the driver, which does not notice, would let the next statements commit one by one.
     */
    static <T> T transaction(Session session, Work<T> work) throws SQLException {
        try {
            session.update("BEGIN");
            T result = work.run(session);
            session.update("COMMIT");
            return result;
        } catch (SQLException | RuntimeException e) {
            rollback(session, e);
            throw e;
        }
    }

    private static void rollback(Session session, Exception cause) {
        try {
            session.forgetStatements();
            session.update("ROLLBACK");
        } catch (SQLException e) {
            // Most likely "no transaction is active": SQLite was faster.
            cause.addSuppressed(e);
        }
    }

    <T> T read(Work<T> work) {
        requireOpen();
        try {
            Session session = takeReader();
            try {
                T result = work.run(session);
                giveBack(session);
                return result;
            } catch (SQLException | RuntimeException e) {
                session.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        }
    }

    private Session takeReader() throws SQLException {
        synchronized (readers) {
            Session session = readers.poll();
            if (session != null) {
                return session;
            }
        }
        return reader(file);
    }

    private void giveBack(Session session) {
        synchronized (readers) {
            if (!closed && readers.size() < SPARE_READERS) {
                readers.push(session);
                return;
            }
        }
        closeQuietly(session);
    }

    private void closeQuietly(Session session) {
        try {
            session.close();
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(Kind.CLOSED, "the store on " + file + " is closed; open it again");
        }
    }

    @Override
    public void close() {
        writing.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            synchronized (readers) {
                readers.forEach(this::closeQuietly);
                readers.clear();
            }
            closeQuietly(writer);
            claim.close();
        } finally {
            writing.unlock();
        }
    }
}
