package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a second process from using a database, by a lock on the file {@code DATABASE.lock}. The operating system
 * releases the lock when the process ends, however it ends. The file stays and contains the owner's process id.
 */
final class DatabaseLock implements AutoCloseable {

    private final FileChannel channel;

    private DatabaseLock(FileChannel channel) {
        this.channel = channel;
    }

    static DatabaseLock acquire(Path database) {
        Path lockFile = database.resolveSibling(database.getFileName() + ".lock");
        FileChannel channel = null;
        try {
            channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (tryLock(channel) == null) {
                String owner = Files.readString(lockFile).strip();
                channel.close();
                throw new StoreException(Kind.IN_USE,
                        database + " is in use by another node" + (owner.isEmpty() ? "" : " (process " + owner + ")")
                                + "; a SQLite file serves one node at a time, so stop that node first");
            }
            channel.truncate(0);
            channel.write(
                    ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.UTF_8)));
            return new DatabaseLock(channel);
        } catch (IOException e) {
            closeQuietly(channel, e);
            throw cannotLock(database, e);
        }
    }

    private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null;
        }
    }

    private static StoreException cannotLock(Path database, IOException e) {
        String message = String.valueOf(e.getMessage());
        if (message.contains("Read-only") || e instanceof java.nio.file.AccessDeniedException) {
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

    private static void closeQuietly(@Nullable FileChannel channel, IOException cause) {
        try {
            if (channel != null) {
                channel.close();
            }
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new StoreException(Kind.OTHER, "cannot release the lock of the store: " + e.getMessage(), e);
        }
    }
}
