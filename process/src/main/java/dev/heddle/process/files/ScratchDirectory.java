package dev.heddle.process.files;

import java.io.IOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A temporary directory of this process. If the process is killed, {@link #sweep} of a later one deletes the directory:
 * a {@link LivenessLock} in it tells whether its owner is alive.
 */
public final class ScratchDirectory implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(ScratchDirectory.class);
    private static final String PREFIX = "heddle-scratch-";
    private static @Nullable ScratchDirectory ofThisProcess;

    private final Path path;
    private final LivenessLock lock;

    private ScratchDirectory(Path path, LivenessLock lock) {
        this.path = path;
        this.lock = lock;
    }

    /** Creates a directory with a random name that starts with the prefix. */
    public static ScratchDirectory create(Path parent, String prefix) throws IOException {
        while (true) {
            Path path = Files.createTempDirectory(parent, prefix);
            try {
                return new ScratchDirectory(path, LivenessLock.acquire(path));
            } catch (NoSuchFileException e) {
                LOG.debug("Another process took {} for a leftover before it was locked", path, e);
            }
        }
    }

    /** Creates a directory in the temp directory of the machine, which every node sweeps. */
    public static ScratchDirectory createInTemp() throws IOException {
        return create(temp(), PREFIX);
    }

    /** Returns a directory in the temp directory of the machine, which is deleted when this process exits. */
    static synchronized Path ofThisProcess() throws IOException {
        // Whatever cleans up the temp directory of the machine may have deleted it.
        if (ofThisProcess == null || !Files.isDirectory(ofThisProcess.path)) {
            ofThisProcess = createInTemp();
            // Not a shutdown hook: those of the application may still need the directory, and these run last.
            ofThisProcess.path.toFile().deleteOnExit();
            ofThisProcess.lock.file().toFile().deleteOnExit();
        }
        return ofThisProcess.path;
    }

    private static Path temp() {
        return Path.of(System.getProperty("java.io.tmpdir"));
    }

    /** Returns the directory. */
    public Path path() {
        return path;
    }

    /** Deletes what killed processes left in the temp directory of the machine. */
    public static void sweep() {
        sweep(temp(), PREFIX);
    }

    /** Deletes the directories with this prefix whose processes have ended. */
    public static void sweep(Path parent, String prefix) {
        try (DirectoryStream<Path> found = Files.newDirectoryStream(parent, prefix + "*")) {
            for (Path directory : found) {
                if (Files.isDirectory(directory)) {
                    deleteIfReleased(directory);
                }
            }
        } catch (IOException e) {
            LOG.debug("Cannot look for leftovers in {}", parent, e);
        }
    }

    private static void deleteIfReleased(Path directory) {
        try {
            List<String> ids = LivenessLock.ids(directory);
            if (ids.isEmpty()) {
                Files.delete(directory); // fails unless it is empty, because it has never been locked
            } else if (LivenessLock.isReleased(directory, ids.getFirst())) {
                FileTree.delete(directory);
            }
        } catch (DirectoryNotEmptyException e) {
            LOG.debug("{} is not a leftover", directory);
        } catch (IOException e) {
            LOG.debug("Cannot delete {}, which may belong to another user", directory, e);
        }
    }

    /** Deletes the directory with all of its content. If that fails, logs a warning. */
    @Override
    public void close() {
        try (lock) {
            FileTree.delete(path);
        } catch (IOException e) {
            LOG.warn("Cannot delete {}: {}", path, e.getMessage());
        }
    }
}
