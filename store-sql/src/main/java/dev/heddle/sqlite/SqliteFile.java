package dev.heddle.sqlite;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Objects;

import dev.heddle.sql.SqlStore.Work;
import dev.heddle.sql.Tx;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;

/** Inspects and backs up a SQLite file, even while a node uses it. */
public final class SqliteFile {

    private final Path file;

    private SqliteFile(Path file) {
        this.file = file.toAbsolutePath().normalize();
    }

    /** Returns the file at a path, which is not opened yet. */
    public static SqliteFile at(Path file) {
        return new SqliteFile(Objects.requireNonNull(file, "file"));
    }

    /** Returns the schema version that this Heddle works with. */
    public static int latestSchemaVersion() {
        return Migrations.latest();
    }

    /**
     * Returns the schema version of the file, 0 if it is empty. Changes nothing.
     *
     * @throws StoreException if the file does not exist, or is not a database of Heddle
     */
    public int schemaVersion() {
        return read(tx -> Migrations.version(tx, file));
    }

    /**
     * Copies a snapshot of the database, while a node may go on committing. The copy appears under its name once it is
     * complete and on disk.
     *
     * @throws StoreException if the target exists or cannot be written
     */
    public void backUpTo(Path target) {
        Path whole = Objects.requireNonNull(target, "target").toAbsolutePath().normalize();
        if (Files.exists(whole)) {
            throw new StoreException(Kind.REJECTED, whole + " exists; choose another name, or delete it first");
        }
        Path directory = whole.getParent();
        if (directory == null || !Files.isDirectory(directory)) {
            throw new StoreException(Kind.REJECTED,
                    "the directory " + directory + " does not exist; create it, or choose another for the backup");
        }
        Path part = whole.resolveSibling(whole.getFileName() + ".part");
        try {
            Files.deleteIfExists(part);
            PrivateFile.create(part);
            read(tx -> copy(tx, part, whole));
            try (FileChannel channel = FileChannel.open(part, StandardOpenOption.WRITE)) {
                channel.force(true);
            }
            Files.move(part, whole, StandardCopyOption.ATOMIC_MOVE);
        } catch (AccessDeniedException e) {
            throw discard(part, new StoreException(Kind.DENIED,
                    "cannot write the backup " + whole + ": permission denied; choose another place", e));
        } catch (IOException e) {
            throw discard(part, new StoreException(Kind.OTHER, "cannot write the backup " + whole + ": " + e, e));
        } catch (RuntimeException e) {
            throw discard(part, e);
        }
    }

    /** Deletes a partial backup, which is useless and may be what fills the disk. */
    private static RuntimeException discard(Path part, RuntimeException failure) {
        try {
            Files.deleteIfExists(part);
            Files.deleteIfExists(part.resolveSibling(part.getFileName() + "-journal"));
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
        return failure;
    }

    private int copy(Tx tx, Path part, Path whole) throws SQLException {
        Migrations.version(tx, file);
        tx.update("PRAGMA query_only = 0"); // which would also forbid writing the copy
        try (PreparedStatement vacuum = tx.connection().prepareStatement("VACUUM INTO ?")) {
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
        try (Tx tx = Database.reader(file)) {
            return work.run(tx);
        } catch (SQLException e) {
            throw SqliteErrors.translate(file, e);
        }
    }
}
