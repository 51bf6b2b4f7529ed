package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a second process from using a database, whatever name it uses for the file. One lock is on a byte of the
 * database itself, which is the same under every symbolic link, hard link and mount. The other one is on the file
 * {@code DATABASE.lock}, which names the owner. The operating system releases both when the process ends, however it
 * ends.
 *
 * <p>On POSIX systems, closing any handle of a file releases all locks of the process on it, including those that
 * SQLite holds. So a database that is open in this process is not opened here again, and {@link #close} must come after
 * the last connection is closed.
 */
final class DatabaseLock implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(DatabaseLock.class);
    /** SQLite locks bytes from 0x40000000 on, and the database may grow beyond them. No file can be this long. */
    private static final long BYTE = Long.MAX_VALUE - 1;
    /** The databases that this process has locked. */
    private static final Set<FileIdentity> OWN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final Path file;
    private final FileIdentity identity;
    private final FileChannel database;
    private final FileChannel lockFile;
    private @Nullable FileLock held;

    private DatabaseLock(Path path, Path file, FileIdentity identity, FileChannel database, FileChannel lockFile) {
        this.path = path;
        this.file = file;
        this.identity = identity;
        this.database = database;
        this.lockFile = lockFile;
    }

    /** Locks a database, which is created as an empty file if it does not exist. */
    static DatabaseLock acquire(Path path) {
        try {
            if (!Files.exists(path)) {
                PrivateFile.create(path);
            }
            Path file = path.toRealPath();
            FileIdentity identity = FileIdentity.of(file);
            if (!OWN.add(identity)) {
                throw inUse(path, Long.toString(ProcessHandle.current().pid()));
            }
            try {
                return lock(path, file, identity);
            } catch (IOException | RuntimeException e) {
                OWN.remove(identity);
                throw e;
            }
        } catch (IOException e) {
            throw cannotLock(path, e);
        }
    }

    private static DatabaseLock lock(Path path, Path file, FileIdentity identity) throws IOException {
        @Nullable FileChannel database = null;
        @Nullable FileChannel lockFile = null;
        try {
            lockFile = FileChannel.open(file.resolveSibling(file.getFileName() + ".lock"), StandardOpenOption.CREATE,
                    StandardOpenOption.READ, StandardOpenOption.WRITE);
            Owner last = Owner.read(lockFile);
            if (tryLock(lockFile, 0, Long.MAX_VALUE) == null) {
                throw inUse(path, last.process());
            }
            database = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
            DatabaseLock lock = new DatabaseLock(path, file, identity, database, lockFile);
            lock.holdFile();
            FileIdentity.requireOneName(file);
            WriteAheadLog.requireIntact(file, last.inode());
            Owner.ofThisProcess(file).write(lockFile);
            return lock;
        } catch (IOException | RuntimeException e) {
            closeAfter(e, database);
            closeAfter(e, lockFile);
            throw e;
        }
    }

    /**
     * Locks the database itself. Call this again once SQLite has opened it: SQLite releases all locks of the process on
     * the file whenever it gives up its own, which it keeps from then on.
     */
    void holdFile() throws IOException {
        if (held != null) {
            held.release();
        }
        held = tryLock(database, BYTE, 1);
        if (held == null) {
            throw inUse(path, "");
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel, long position, long size) throws IOException {
        try {
            return channel.tryLock(position, size, false);
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    /**
     * The content of the lock file, which is empty after the owner has closed the database in order.
     *
     * @param process the id of the owner's process; empty if unknown
     * @param inode the database that it opened; empty if unknown
     */
    private record Owner(String process, String inode) {

        static Owner ofThisProcess(Path database) throws IOException {
            return new Owner(Long.toString(ProcessHandle.current().pid()), FileIdentity.inode(database));
        }

        /** Reads by the channel that will hold the lock, because closing another one would release it. */
        static Owner read(FileChannel channel) throws IOException {
            ByteBuffer bytes = ByteBuffer.allocate(100);
            channel.read(bytes, 0);
            String[] words = new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).split("\\s+", -1);
            return new Owner(words[0], words.length > 1 ? words[1] : "");
        }

        void write(FileChannel channel) throws IOException {
            channel.truncate(0);
            channel.write(ByteBuffer.wrap((process + " " + inode).getBytes(StandardCharsets.UTF_8)), 0);
        }
    }

    /** Returns the database under its real name, to which SQLite adds suffixes for its other files. */
    Path file() {
        return file;
    }

    private static StoreException inUse(Path path, String process) {
        return new StoreException(Kind.IN_USE,
                path + " is in use by another node" + (process.isEmpty() ? "" : " (process " + process + ")")
                        + "; a SQLite file serves one node at a time, so stop that node first");
    }

    private static StoreException cannotLock(Path database, IOException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("Read-only") || e instanceof AccessDeniedException) {
            return new StoreException(Kind.READ_ONLY, "cannot write to " + database
                    + ": it, or its directory, is read-only; make it writable (" + message + ")", e);
        }
        if (message.contains("No space")) {
            return new StoreException(Kind.FULL, "no space left for " + database
                    + "; free some disk space, no accepted job is lost (" + message + ")", e);
        }
        return new StoreException(Kind.UNREACHABLE,
                "cannot open " + database + "; check that the path exists and can be written (" + message + ")", e);
    }

    private static void closeAfter(Exception cause, @Nullable FileChannel channel) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Notes that the database was closed in order: its log, if SQLite has left one, may be replaced with it. */
    void closedInOrder() {
        try {
            lockFile.truncate(0);
        } catch (IOException e) {
            LOG.debug("Cannot empty the lock file of {}: {}", file, e.getMessage());
        }
    }

    @Override
    public void close() {
        try (lockFile; database) {
            OWN.remove(identity);
        } catch (IOException e) {
            throw new StoreException(Kind.OTHER, "cannot release the lock of the store: " + e.getMessage(), e);
        }
    }
}
