package dev.heddle.process;

import java.io.IOException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Objects;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The temp directory of a run: made before it, for its owner's eyes only, and removed with all that is in it. It lies
 * where temp files lie on this machine and not under the node's home, because sockets are made in it, whose paths may
 * have hardly more than 100 characters.
 */
final class TempDirectory {

    private static final Logger LOG = LoggerFactory.getLogger(TempDirectory.class);
    private static final String PREFIX = "heddle-";

    private TempDirectory() {}

    static Path of(Mark mark) {
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

    /** The variables that say where it is: for all, and for Windows. */
    static Map<String, String> variables(Path directory) {
        String path = directory.toString();
        return Map.of("TMPDIR", path, "TMP", path, "TEMP", path);
    }

    /** What stays is logged and goes no further. */
    static void delete(Path directory) {
        if (!Objects.requireNonNull(directory.getFileName()).toString().startsWith(PREFIX)) {
            throw new IllegalArgumentException("not a temp directory of a run: " + directory);
        }
        try {
            FileTree.delete(directory);
        } catch (IOException e) {
            LOG.warn("Cannot remove all of {}: {}", directory, e.getMessage());
        }
    }
}
