package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.sqlite.SQLiteException;

/** Translates errors of SQLite into exceptions that say what happened and what to do. */
final class SqliteErrors {

    private SqliteErrors() {}

    static StoreException translate(Path file, SQLException e) {
        String message = e.getMessage();
        // The low byte is the primary result code; the rest only gives details.
        int code = e instanceof SQLiteException known ? known.getResultCode().code & 0xFF : 1;
        return switch (code) {
            case 13 -> new StoreException(Kind.FULL,
                    "no space left for " + file + "; free some disk space, no accepted job is lost (" + message + ")",
                    e);
            case 8 -> new StoreException(Kind.READ_ONLY, "cannot write to " + file
                    + ": it, or its directory, is read-only; make it writable (" + message + ")", e);
            case 11, 26 -> new StoreException(Kind.CORRUPT,
                    file + " is not a valid SQLite database; restore a backup, or recover what is readable with"
                            + " 'sqlite3 " + file + " .recover' (" + message + ")",
                    e);
            case 14 -> new StoreException(Kind.UNREACHABLE,
                    "cannot open " + file + "; check that the path exists and can be written (" + message + ")", e);
            case 5, 6 -> new StoreException(Kind.IN_USE,
                    file + " is locked by another program; close it and try again (" + message + ")", e);
            case 10 -> new StoreException(Kind.UNREACHABLE,
                    "reading or writing " + file + " failed; check the disk (" + message + ")", e);
            case 18, 19, 20 -> new StoreException(Kind.REJECTED, file + " cannot store that value: " + message, e);
            default -> new StoreException(Kind.OTHER, "error in " + file + ": " + message, e);
        };
    }
}
