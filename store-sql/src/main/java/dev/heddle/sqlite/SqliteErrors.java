package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.SQLException;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.sqlite.SQLiteException;

/** Says what an error of SQLite means and what to do about it. */
final class SqliteErrors {

    private SqliteErrors() {}

    static StoreException translate(Path file, SQLException e) {
        String said = e.getMessage();
        // The low byte is the primary code; the extended codes only say more about it.
        int code = e instanceof SQLiteException known ? known.getResultCode().code & 0xFF : 1;
        return switch (code) {
            case 13 -> new StoreException(Kind.FULL, "no space left for " + file
                    + "; free some disk space, nothing that was accepted is lost (" + said + ")", e);
            case 8 -> new StoreException(Kind.READ_ONLY, "cannot write to " + file
                    + ": it, or its directory, is read-only; make it writable (" + said + ")", e);
            case 11, 26 -> new StoreException(Kind.CORRUPT, file
                    + " is not a sound SQLite database; restore a backup, or save what can be read with"
                    + " 'sqlite3 " + file + " .recover' (" + said + ")", e);
            case 14 -> new StoreException(Kind.UNREACHABLE,
                    "cannot open " + file + "; check that the path exists and can be written (" + said + ")",
                    e);
            case 5, 6 -> new StoreException(Kind.IN_USE,
                    file + " is locked by another program; close it and try again (" + said + ")", e);
            case 10 -> new StoreException(Kind.UNREACHABLE,
                    "reading or writing " + file + " failed; check the disk (" + said + ")", e);
            case 18, 19, 20 ->
                new StoreException(Kind.REJECTED, file + " cannot store that value: " + said, e);
            default -> new StoreException(Kind.OTHER, "error in " + file + ": " + said, e);
        };
    }
}
