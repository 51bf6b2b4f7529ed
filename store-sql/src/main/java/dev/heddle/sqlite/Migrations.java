package dev.heddle.sqlite;

import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import dev.heddle.sql.MigrationScripts;
import dev.heddle.sql.Tx;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates a database to the schema of this version, forward only, each step in one transaction. SQLite's pragma
 * {@code user_version} has the number of the last step; {@code application_id} identifies the file as Heddle's.
 */
final class Migrations {

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    /** "hddl" in ASCII. */
    static final int APPLICATION_ID = 0x6864646C;

    private static final int LATEST = MigrationScripts.latest();

    private Migrations() {}

    /** Returns the version that this Heddle works with. */
    static int latest() {
        return LATEST;
    }

    static void run(Tx tx, Path file) throws SQLException {
        for (int step = version(tx, file) + 1; step <= LATEST; step++) {
            int number = step;
            Database.transaction(tx, transaction -> migrate(transaction, number));
            LOG.info("{}: migrated the schema to version {}", file, step);
        }
    }

    /** Returns the version of a file, 0 if it is empty. Throws if it is not Heddle's, or if its schema is too new. */
    static int version(Tx tx, Path file) throws SQLException {
        int version = pragma(tx, "user_version");
        int application = pragma(tx, "application_id");
        if (application != APPLICATION_ID && (application != 0 || hasTables(tx))) {
            throw new StoreException(Kind.FOREIGN,
                    file + " is a SQLite database of another program; choose another file for Heddle");
        }
        if (version > LATEST) {
            throw new StoreException(Kind.FOREIGN, file + " has schema version " + version
                    + ", but this Heddle supports versions up to " + LATEST + "; use a newer Heddle");
        }
        return version;
    }

    private static int migrate(Tx tx, int step) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.executeUpdate(MigrationScripts.read(Migrations.class, step));
            statement.executeUpdate("PRAGMA application_id = " + APPLICATION_ID);
            return statement.executeUpdate("PRAGMA user_version = " + step);
        }
    }

    private static int pragma(Tx tx, String name) throws SQLException {
        try (ResultSet rows = tx.query("PRAGMA " + name)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    private static boolean hasTables(Tx tx) throws SQLException {
        try (ResultSet rows = tx.query("SELECT 1 FROM sqlite_schema LIMIT 1")) {
            return rows.next();
        }
    }
}
