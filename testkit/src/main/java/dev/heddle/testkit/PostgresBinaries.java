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
 * PostgreSQL's programs, unpacked from archives in the resources of this module. All JVMs share one directory for an
 * archive, named after its content. It is never deleted: only the first JVM has to unpack.
 */
final class PostgresBinaries {

    private PostgresBinaries() {}

    /** Returns the directory that contains {@code bin}; unpacks it first if necessary. */
    static Path unpacked(int major) throws IOException {
        Path home = PostgresAccount.scratch()
                .resolve("heddle-postgres-%s-%d-%s".formatted(System.getProperty("user.name"), major, digest(major)));
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
            throw new IOException(home + " belongs to another user; delete it and try again");
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
            throw new FileNotFoundException(name
                    + " is missing from the resources; build the testkit for this platform (postgres.platform in pom.xml)");
        }
        return archive;
    }

    private static String digest(int major) throws IOException {
        try (DigestInputStream archive = new DigestInputStream(archive(major), MessageDigest.getInstance("SHA-256"))) {
            archive.transferTo(OutputStream.nullOutputStream());
            return HexFormat.of().formatHex(archive.getMessageDigest().digest(), 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void unpack(int major, Path directory) throws IOException {
        Process tar = new ProcessBuilder("tar", "-x", "--no-same-owner", "-C", directory.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        try (InputStream archive = new XZInputStream(archive(major)); OutputStream input = tar.getOutputStream()) {
            archive.transferTo(input);
        }
        int code = tar.onExit().join().exitValue();
        if (code != 0) {
            throw new IOException(
                    "tar exited with code " + code + " while unpacking PostgreSQL " + major + " into " + directory);
        }
    }
}
