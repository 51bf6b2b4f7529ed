package dev.heddle.testkit;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

import org.tukaani.xz.XZInputStream;

/**
 * PostgreSQL's programs, unpacked from the archives among this module's resources. All JVMs share one directory for an
 * archive, named after its content; it stays, so that only the first one has to unpack.
 */
final class PostgresBinaries {

    private PostgresBinaries() {}

    /** The directory that has {@code bin}. */
    static Path unpacked(int major) throws IOException {
        Path home = PostgresAccount.scratch().resolve("heddle-postgres-%s-%d-%s"
                .formatted(System.getProperty("user.name"), major, digest(major)));
        if (!Files.exists(home)) {
            Path fresh = Files.createTempDirectory(PostgresAccount.scratch(), "heddle-postgres-unpacking");
            try {
                unpack(major, fresh);
                Files.setPosixFilePermissions(fresh, PosixFilePermissions.fromString("rwxr-xr-x"));
                moveUnlessThere(fresh, home);
            } finally {
                Directories.delete(fresh);
            }
        }
        if (!Files.getOwner(home).equals(Files.getOwner(Path.of("/proc/self")))) {
            throw new IOException(home + " belongs to somebody else; remove it");
        }
        return home;
    }

    private static void moveUnlessThere(Path fresh, Path home) throws IOException {
        try {
            Files.move(fresh, home);
        } catch (IOException e) {
            if (!Files.exists(home)) {
                throw e;
            }
        }
    }

    private static InputStream archive(int major) throws IOException {
        String processor = System.getProperty("os.arch").equals("aarch64") ? "arm_64" : "x86_64";
        String name = "postgres-%d/postgres-linux-%s.txz".formatted(major, processor);
        InputStream archive = PostgresBinaries.class.getResourceAsStream(name);
        if (archive == null) {
            throw new FileNotFoundException(
                    name + " is not among the resources; the testkit was built for another platform");
        }
        return archive;
    }

    private static String digest(int major) throws IOException {
        try (DigestInputStream archive = new DigestInputStream(archive(major),
                MessageDigest.getInstance("SHA-256"))) {
            archive.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(archive.getMessageDigest().digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unpack(int major, Path directory) throws IOException {
        Process tar = new ProcessBuilder("tar", "-x", "--no-same-owner", "-C", directory.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(
                        ProcessBuilder.Redirect.INHERIT)
                .start();
        try (InputStream archive = new XZInputStream(archive(major));
                OutputStream input = tar
                        .getOutputStream()) {
            archive.transferTo(input);
        }
        int code = tar.onExit().join().exitValue();
        if (code != 0) {
            throw new IOException("tar ended with " + code + " unpacking PostgreSQL " + major + " into "
                    + directory);
        }
    }
}
