package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * Creates files that only their owner may read, because payloads may be confidential. SQLite gives its own files beside
 * a database the mode of the database.
 */
final class PrivateFile {

    private PrivateFile() {}

    /** Creates an empty file; leaves one that exists as it is. */
    static void create(Path file) throws IOException {
        boolean posix = file.getFileSystem().supportedFileAttributeViews().contains("posix");
        FileAttribute<?>[] mode = posix
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))}
                : new FileAttribute<?>[0];
        FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE), mode).close();
    }
}
