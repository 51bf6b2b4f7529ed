package dev.heddle.process.files;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A file lock that shows whether the process that owns something is alive. The operating system releases the lock when
 * the process ends, however it ends, so no process id has to be trusted.
 */
public final class LivenessLock implements AutoCloseable {

    private static final String SUFFIX = ".lock";
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

    /**
     * Creates a lock with a new id and holds it until this is closed or the process ends.
     *
     * @param directory where the file of the lock is created; must exist
     */
    public static LivenessLock acquire(Path directory) throws IOException {
        while (true) {
            String id = UUID.randomUUID().toString();
            Path file = file(directory, id);
            OWN_IDS.add(id);
            FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            channel.lock();
            // Another process may have found the file before it was locked, and deleted it.
            if (Files.exists(file)) {
                return new LivenessLock(id, file, channel);
            }
            channel.close();
            OWN_IDS.remove(id);
        }
    }

    private static Path file(Path directory, String id) {
        return directory.resolve(id + SUFFIX);
    }

    Path file() {
        return file;
    }

    /** Returns the id, by which other processes ask for the lock. */
    public String id() {
        return id;
    }

    /** Tells whether the process that acquired the lock has ended or closed it. If so, deletes the file. */
    public static boolean isReleased(Path directory, String id) throws IOException {
        if (OWN_IDS.contains(id)) {
            return false;
        }
        Path file = file(directory, id);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            if (lock == null) {
                return false;
            }
            Files.deleteIfExists(file);
            return true;
        } catch (NoSuchFileException e) {
            return true;
        }
    }

    /** Returns the ids of the locks in a directory, held or released. */
    static List<String> ids(Path directory) throws IOException {
        List<String> ids = new ArrayList<>();
        // The names of random UUIDs: other files in the directory may have the same suffix.
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "????????-????-4???-????-????????????"
                + SUFFIX)) {
            for (Path found : files) {
                String name = found.getFileName().toString();
                ids.add(name.substring(0, name.length() - SUFFIX.length()));
            }
        }
        return ids;
    }

    /** Deletes the files that killed processes left in a directory. */
    public static void sweep(Path directory) throws IOException {
        for (String id : ids(directory)) {
            isReleased(directory, id);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
        OWN_IDS.remove(id);
        Files.deleteIfExists(file);
    }
}
