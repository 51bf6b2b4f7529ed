package dev.heddle.process;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;

import dev.heddle.process.files.FileTree;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temp directory of a launch. It is created before the process with access for the owner only, and deleted with all
 * of its content afterwards. It is in the temp directory of the machine rather than below the node's home, because
 * programs create sockets in it, and the path of a socket is limited to about 100 characters.
 */
final class TempDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(TempDirectory.class);
    private static final String PREFIX = "heddle-";

    private TempDirectory() {}

    static Path of(ProcessMark mark) {
        return Path.of(System.getProperty("java.io.tmpdir"), PREFIX + mark).toAbsolutePath();
    }

    static void create(Path directory) throws IOException {
        boolean posix = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] attributes = posix
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))}
                : new FileAttribute<?>[0];
        Files.createDirectory(directory, attributes);
    }

    /** Returns the variables that name the directory on Unix and on Windows. */
    static Map<String, String> variables(Path directory) {
        String path = directory.toString();
        return Map.of("TMPDIR", path, "TMP", path, "TEMP", path);
    }

    /** Deletes the directory. If that fails, logs a warning. */
    static void delete(Path directory) {
        if (!Objects.requireNonNull(directory.getFileName()).toString().startsWith(PREFIX)) {
            throw new IllegalArgumentException("not a temp directory of Heddle: " + directory);
        }
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            LOG.warn("Cannot delete temp directory {}: {}", directory, e.getMessage());
        }
    }
}
