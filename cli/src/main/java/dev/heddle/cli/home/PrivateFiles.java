package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Objects;
import java.util.Set;

/** Creates files and directories that only their owner can read, from the moment they exist. */
public final class PrivateFiles {

    private static final boolean POSIX = FileSystems.getDefault().supportedFileAttributeViews().contains("posix");

    private static final String DRAFT = ".tmp";

    private PrivateFiles() {}

    /** Creates a directory. */
    public static void createDirectory(Path directory) throws IOException {
        Files.createDirectory(directory, mode("rwx------"));
    }

    /** Removes the permissions of others on an existing directory. */
    static void restrict(Path directory) throws IOException {
        if (POSIX) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Replaces the content atomically: readers see the old text or the new one. */
    public static void write(Path file, String text) throws IOException {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        Path draft = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid() + DRAFT);
        Files.deleteIfExists(draft);
        try (FileChannel channel = FileChannel.open(draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode("rw-------"))) {
            for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining();) {
                channel.write(rest);
            }
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Deletes what processes left that were killed in {@link #write}. No process may be writing the file now. */
    static void deleteDrafts(Path file) throws IOException {
        Path directory = Objects.requireNonNull(file.getParent());
        try (DirectoryStream<Path> drafts = Files.newDirectoryStream(directory, file.getFileName() + ".*" + DRAFT)) {
            for (Path draft : drafts) {
                Files.deleteIfExists(draft);
            }
        }
    }

    private static FileAttribute<?>[] mode(String permissions) {
        return POSIX
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                : new FileAttribute<?>[0];
    }
}
