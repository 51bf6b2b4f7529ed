package dev.heddle.worktree;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

import dev.heddle.worktree.WorktreeException.Kind;

/**
 * A file lock that shows whether the process that owns some worktrees is alive. The operating system releases the lock
 * when the process ends, however it ends, so no process id has to be trusted.
 */
final class LivenessLock implements AutoCloseable {

    /**
     * The ids of this process's own locks. Their files must not be opened a second time: on POSIX systems, closing any
     * handle of a file releases all locks that the process holds on it.
     */
    private static final Set<String> OWN_IDS = ConcurrentHashMap.newKeySet();

    private final String id;
    private final Path file;
    private final FileChannel channel;

    private LivenessLock(String id, Path file, FileChannel channel) {
        this.id = id;
        this.file = file;
        this.channel = channel;
    }

    /** Creates a lock with a new id and holds it until this is closed or the process ends. */
    static LivenessLock acquire(Path directory) {
        String id = UUID.randomUUID().toString();
        Path file = file(directory, id);
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            channel.lock();
            OWN_IDS.add(id);
            return new LivenessLock(id, file, channel);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot create the lock " + file + ": " + e, e);
        }
    }

    private static Path file(Path directory, String id) {
        return directory.resolve(id + ".lock");
    }

    String id() {
        return id;
    }

    /** Tells whether the process that acquired the lock has ended or closed it. */
    static boolean isReleased(Path directory, String id) {
        if (OWN_IDS.contains(id)) {
            return false;
        }
        try (FileChannel channel = FileChannel.open(file(directory, id), StandardOpenOption.WRITE)) {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                return false;
            }
            lock.release();
            Files.deleteIfExists(file(directory, id));
            return true;
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot check the lock " + file(directory, id) + ": " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            OWN_IDS.remove(id);
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TRANSIENT, "cannot release the lock " + file + ": " + e, e);
        }
    }
}
