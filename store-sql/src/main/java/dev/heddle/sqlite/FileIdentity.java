package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;

/**
 * Which file a path leads to, so that one notices if it is deleted or replaced.
 *
 * @param key device and inode; null if the system does not tell. Such systems do not let go of a file that is open.
 */
record FileIdentity(@Nullable Object key) {

    static FileIdentity of(Path file) throws IOException {
        return new FileIdentity(Files.readAttributes(file, BasicFileAttributes.class).fileKey());
    }

    /** Returns whether a path still leads to this file. Costs about a microsecond. */
    boolean isAt(Path file) {
        try {
            return equals(of(file));
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the inode, which outlasts a restart of the machine, unlike the device; empty if there is none. */
    static String inode(Path file) throws IOException {
        return hasUnixAttributes(file) ? String.valueOf(Files.getAttribute(file, "unix:ino")) : "";
    }

    /** Fails if a database has several names: SQLite would look for a log of its own beside each of them. */
    static void requireOneName(Path database) throws IOException {
        int names = hasUnixAttributes(database) ? (int) Files.getAttribute(database, "unix:nlink") : 1;
        if (names > 1) {
            throw new StoreException(Kind.UNREACHABLE, database + " has " + names
                    + " names (hard links), and its latest commits may be in a log beside any of them; delete all but"
                    + " the name that was used last");
        }
    }

    private static boolean hasUnixAttributes(Path file) {
        return file.getFileSystem().supportedFileAttributeViews().contains("unix");
    }
}
