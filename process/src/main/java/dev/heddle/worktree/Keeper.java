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
 * Somebody who looks after worktrees, known to be alive by the lock on a file of its own. The system lets go of the lock
 * when the process ends, however it ends, so that no pid has to be trusted.
 */
final class Keeper implements AutoCloseable {

    /**
     * Those of this process. Their files must not be opened a second time: on POSIX systems closing any handle of a file
     * lets go of all the locks that the process has on it.
     */
    private static final Set<String> HERE = ConcurrentHashMap.newKeySet();

    private final String id;
    private final Path file;
    private final FileChannel channel;

    private Keeper(String id, Path file, FileChannel channel) {
        this.id = id;
        this.file = file;
        this.channel = channel;
    }

    static Keeper in(Path directory) {
        String id = UUID.randomUUID().toString();
        Path file = file(directory, id);
        try {
            Files.createDirectories(directory);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW,
                    StandardOpenOption.WRITE);
            channel.lock();
            HERE.add(id);
            return new Keeper(id, file, channel);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot keep worktrees in " + directory + ": " + e, e);
        }
    }

    private static Path file(Path directory, String id) {
        return directory.resolve(id + ".lock");
    }

    String id() {
        return id;
    }

    /** Whether the keeper of that id has gone. */
    static boolean isGone(Path directory, String id) {
        if (HERE.contains(id)) {
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
            throw new WorktreeException(Kind.TROUBLE, "cannot look at " + file(directory, id) + ": " + e, e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
            HERE.remove(id);
            Files.deleteIfExists(file);
        } catch (IOException e) {
            throw new WorktreeException(Kind.TROUBLE, "cannot give back " + file + ": " + e, e);
        }
    }
}
