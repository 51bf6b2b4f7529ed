package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.sql.SqlStore.Work;
import dev.heddle.sql.Tx;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/**
 * A SQLite file and the connections to it. One connection writes, one transaction at a time, because two writers on
 * SQLite only block each other. Other connections read at the same time, from snapshots of the write-ahead log.
 *
 * <p>With {@code synchronous=FULL} every commit waits for its fsync: acknowledged jobs survive a power failure.
 */
final class Database implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Database.class);
    private static final int MAX_IDLE_READERS = 4;

    private final DatabaseLock lock;
    private final Path file;
    private final Path log;
    private final FileIdentity fileIdentity;
    private final FileIdentity logIdentity;
    private final Tx writer;
    private final ReentrantLock writing = new ReentrantLock();
    private final Deque<Tx> readers = new ArrayDeque<>();
    private final Runnable onRollback;
    private volatile boolean closed;
    /** Whether the file was deleted or replaced. What is written now is lost as soon as this process ends. */
    private volatile boolean gone;

    private Database(DatabaseLock lock, Tx writer, Runnable onRollback) throws IOException {
        this.lock = lock;
        this.file = lock.file();
        this.log = WriteAheadLog.of(file);
        this.fileIdentity = FileIdentity.of(file);
        this.logIdentity = FileIdentity.of(log);
        this.writer = writer;
        this.onRollback = onRollback;
    }

    /**
     * Opens or creates the file, locks it, and migrates it.
     *
     * @param onRollback called after every transaction that did not commit, under the write lock
     */
    static Database open(Path path, Runnable onRollback) {
        Path file = path.toAbsolutePath().normalize();
        if (Files.isDirectory(file)) {
            throw new StoreException(Kind.UNREACHABLE,
                    file + " is a directory; give a file in it, such as " + file.resolve("heddle.db"));
        }
        createParent(file);
        DatabaseLock lock = DatabaseLock.acquire(file);
        @Nullable Connection connection = null;
        try {
            connection = connect(lock.file(), false);
            Tx writer = new Tx(connection, SqliteDialect.INSTANCE);
            Migrations.run(writer, file);
            lock.holdFile();
            return new Database(lock, writer, onRollback);
        } catch (SQLException e) {
            closeAfter(e, connection, lock);
            throw SqliteErrors.translate(file, e);
        } catch (IOException e) {
            closeAfter(e, connection, lock);
            throw new StoreException(Kind.UNREACHABLE, "cannot open " + file + ": " + e, e);
        } catch (Throwable e) {
            closeAfter(e, connection, lock);
            throw e;
        }
    }

    /** Opens a connection that only reads, which works without the lock. */
    static Tx reader(Path file) throws SQLException {
        return new Tx(connect(file, true), SqliteDialect.INSTANCE);
    }

    private static void createParent(Path file) {
        try {
            if (file.getParent() != null) {
                Files.createDirectories(file.getParent());
            }
        } catch (IOException e) {
            throw new StoreException(Kind.UNREACHABLE, "cannot create the directory of " + file + ": " + e.getMessage(),
                    e);
        }
    }

    private static Connection connect(Path file, boolean reading) throws SQLException {
        SqliteLibrary.keepInCache();
        SQLiteConfig config = new SQLiteConfig();
        config.resetOpenMode(SQLiteOpenMode.CREATE); // the lock has created it; a file that is gone must not come back
        config.setJournalMode(SQLiteConfig.JournalMode.WAL);
        config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
        config.setBusyTimeout(5_000);
        config.setTempStore(SQLiteConfig.TempStore.MEMORY);
        config.setPragma(SQLiteConfig.Pragma.CACHE_SIZE, reading ? "-2000" : "-16000");
        Connection connection = config.createConnection("jdbc:sqlite:" + file);
        try (var statement = connection.createStatement()) {
            statement.execute(reading ? "PRAGMA query_only = 1" : "PRAGMA wal_autocheckpoint = " + WriteAheadLog.PAGES);
        }
        return connection;
    }

    private static void closeAfter(Throwable cause, @Nullable Connection connection, DatabaseLock lock) {
        try {
            if (connection != null) {
                connection.close();
            }
            lock.close();
        } catch (SQLException | RuntimeException e) {
            cause.addSuppressed(e);
        }
    }

    Path file() {
        return file;
    }

    /** Prepares the file for a node, which commits often. A single command does not need this. */
    void expectManyCommits() {
        WriteAheadLog.extend(file);
    }

    /** Runs work in one transaction. When this returns, all of it is durable; if it throws, nothing has happened. */
    <T> T write(Work<T> work) {
        writing.lock();
        try {
            requireOpen();
            T result = transaction(writer, work);
            requireUnmoved();
            return result;
        } catch (SQLException e) {
            onRollback.run();
            throw SqliteErrors.translate(file, e);
        } catch (Throwable e) {
            onRollback.run();
            throw e;
        } finally {
            writing.unlock();
        }
    }

    /**
     * Runs work between BEGIN and COMMIT, without the driver's own transactions: on a full disk SQLite rolls back by
     * itself, the driver does not notice, and the next statements would commit one by one. Rolls back after errors too:
     * after a stack overflow, the next transaction would commit what this one has left.
     */
    static <T> T transaction(Tx tx, Work<T> work) throws SQLException {
        try {
            tx.update("BEGIN");
            T result = work.run(tx);
            tx.update("COMMIT");
            return result;
        } catch (Throwable e) {
            rollback(tx, e);
            throw e;
        }
    }

    private static void rollback(Tx tx, Throwable cause) {
        try {
            tx.closeStatements();
            tx.update("ROLLBACK");
        } catch (SQLException e) {
            // Usually "no transaction is active", because SQLite has already rolled back.
            cause.addSuppressed(e);
        }
    }

    <T> T read(Work<T> work) {
        requireOpen();
        try {
            Tx tx = borrowReader();
            try {
                requireUnmoved();
                T result = work.run(tx);
                returnReader(tx);
                return result;
            } catch (Throwable e) {
                tx.close();
                throw e;
            }
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        }
    }

    private Tx borrowReader() throws SQLException {
        synchronized (readers) {
            Tx tx = readers.poll();
            if (tx != null) {
                return tx;
            }
        }
        return reader(file);
    }

    private void returnReader(Tx tx) {
        synchronized (readers) {
            if (!closed && readers.size() < MAX_IDLE_READERS) {
                readers.push(tx);
                return;
            }
        }
        closeQuietly(tx);
    }

    private void closeQuietly(Tx tx) {
        try {
            tx.close();
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        }
    }

    private void requireOpen() {
        if (closed) {
            throw new StoreException(Kind.CLOSED, "the store on " + file + " is closed; open it again");
        }
        if (gone) {
            throw goneException();
        }
    }

    /** Fails if what was just written or opened is not what the next node will find. From then on, nothing works. */
    private void requireUnmoved() {
        if (!fileIdentity.isAt(file) || !logIdentity.isAt(log)) {
            if (!gone) {
                gone = true;
                LOG.error("{}", goneException().getMessage());
            }
            throw goneException();
        }
    }

    private StoreException goneException() {
        return new StoreException(Kind.UNREACHABLE, file + ", or its log " + log.getFileName()
                + ", was deleted or replaced while this node used it; nothing is stored any more. Stop the node, put"
                + " the files back or restore a backup, and start it again");
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
            boolean unmoved = !gone && fileIdentity.isAt(file);
            try (lock) {
                closeQuietly(writer);
                if (unmoved) {
                    lock.closedInOrder();
                }
            }
        } finally {
            writing.unlock();
        }
    }
}
