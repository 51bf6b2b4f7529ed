package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.PreparedStatement;
import java.sql.SQLException;

import dev.heddle.sql.Session;
import dev.heddle.sql.SqlStore.Work;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;

/** A SQLite file from outside: it can be read and copied whether a node works on it or not. */
public final class SqliteFile {

    private final Path file;

    private SqliteFile(Path file) {
        this.file = file.toAbsolutePath().normalize();
    }

    public static SqliteFile at(Path file) {
        return new SqliteFile(file);
    }

    /** The version of the schema that this Heddle works with. */
    public static int latestSchemaVersion() {
        return Migrations.latest();
    }

    /** The version of the schema as it stands, 0 where there is none. Changes nothing. */
    public int schemaVersion() {
        return read(session -> Migrations.version(session, file));
    }

    /**
     * Copies the database as it stands at one moment, while commits go on. The copy appears under its name once it is
     * complete and on disk.
     */
    public void backUpTo(Path target) {
        Path whole = target.toAbsolutePath().normalize();
        if (Files.exists(whole)) {
            throw new StoreException(Kind.REJECTED,
                    whole + " exists; choose another name, or delete it first");
        }
        Path directory = whole.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new StoreException(Kind.REJECTED,
                    "there is no directory " + directory
                            + " for the backup; make it first, or choose another");
        }
        Path part = whole.resolveSibling(whole.getFileName() + ".part");
        try {
            Files.deleteIfExists(part);
            createPrivate(part);
            read(session -> copy(session, part, whole));
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
        } catch (AccessDeniedException e) {
            throw without(part, new StoreException(Kind.DENIED, "cannot write the backup " + whole
                    + ": you may not write there; choose another place", e));
        } catch (IOException e) {
            throw without(part,
                    new StoreException(Kind.OTHER, "cannot write the backup " + whole + ": " + e, e));
        } catch (RuntimeException e) {
            throw without(part, e);
        }
    }

    /** Half a backup is of no use, and may be what fills the disk. */
    private static RuntimeException without(Path part, RuntimeException failure) {
        try {
            Files.deleteIfExists(part);
            Files.deleteIfExists(part.resolveSibling(part.getFileName() + "-journal"));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    /** What is in the jobs is for the eyes of whoever makes the copy; SQLite fills a file that is empty. */
    private static void createPrivate(Path part) throws IOException {
        if (part.getFileSystem().supportedFileAttributeViews().contains("posix")) {
            Files.createFile(part,
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        }
    }

    private int copy(Session session, Path part, Path whole) throws SQLException {
        Migrations.version(session, file);
        session.update("PRAGMA query_only = 0"); // it forbids writing to any file, the copy too
        try (PreparedStatement vacuum = session.connection().prepareStatement("VACUUM INTO ?")) {
            vacuum.setString(1, part.toString());
            return vacuum.executeUpdate();
        } catch (SQLException e) {
            throw SqliteErrors.translate(whole, e);
        }
    }

    private <T> T read(Work<T> work) {
        if (!Files.exists(file)) {
            throw new StoreException(Kind.UNREACHABLE, file + " does not exist");
        }
        try (Session session = Database.reader(file)) {
            return work.run(session);
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        }
    }
}
