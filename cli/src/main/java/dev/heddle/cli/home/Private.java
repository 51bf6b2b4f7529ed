package dev.heddle.cli.home;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/** Files and directories that only their owner may read, from the moment they exist. */
final class Private {

    private static final boolean POSIX = FileSystems.getDefault().supportedFileAttributeViews()
            .contains("posix");

    private Private() {}

    static void directory(Path directory) throws IOException {
        Files.createDirectory(directory, mode("rwx------"));
    }

    /** Closes an existing directory to others. */
    static void restrict(Path directory) throws IOException {
        if (POSIX) {
            Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
        }
    }

    /** Whoever reads the file finds the old text or the new one, never a part. */
    static void write(Path file, String text) throws IOException {
        write(file, text.getBytes(StandardCharsets.UTF_8));
    }

    static void write(Path file, byte[] content) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + "." + ProcessHandle.current().pid() + ".tmp");
        Files.deleteIfExists(draft);
        try (FileChannel channel = FileChannel.open(draft,
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), mode("rw-------"))) {
            for (ByteBuffer rest = ByteBuffer.wrap(content); rest.hasRemaining();) {
                channel.write(rest);
            }
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static FileAttribute<?>[] mode(String permissions) {
        return POSIX
                ? new FileAttribute<?>[]{
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))}
                : new FileAttribute<?>[0];
    }
}
