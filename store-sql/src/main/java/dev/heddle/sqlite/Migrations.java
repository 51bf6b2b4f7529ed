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
 * Migrates a database to the schema of this version, forward only, in one transaction. SQLite's pragma
 * {@code user_version} has the number of the last step; {@code application_id} identifies the file as Heddle's.
 */
final class Migrations {

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    /** "hddl" in ASCII. */
    static final int APPLICATION_ID = 0x6864646C;

    private static final int LATEST = MigrationScripts.latest();
    private static final MigrationScripts SCRIPTS = new MigrationScripts(Migrations.class);

    private Migrations() {}

    /** Returns the version that this Heddle works with. */
    static int latest() {
        return LATEST;
    }

    static void run(Tx tx, Path file) throws SQLException {
        int version = version(tx, file);
        if (version == LATEST) {
            return;
        }
        Database.transaction(tx, transaction -> {
            if (MigrationScripts.mayLackParts(version)) {
                EarlyColumns.addMissing(transaction);
                execute(transaction, SCRIPTS.readMissing("CREATE VIEW IF NOT EXISTS"));
            }
            for (int step = version + 1; step <= LATEST; step++) {
                execute(transaction, SCRIPTS.read(step));
            }
            SCRIPTS.record(transaction);
            transaction.update("PRAGMA application_id = " + APPLICATION_ID);
            return transaction.update("PRAGMA user_version = " + LATEST);
        });
        // The log of a young database is all that it has. Now the file alone is a store, even if its log gets lost.
        tx.query("PRAGMA wal_checkpoint(TRUNCATE)").close();
        LOG.info("{}: migrated the schema from version {} to {}", file, version, LATEST);
    }

    /** Returns the version of a file, 0 if it is empty. Throws if it is not Heddle's, or if its schema is too new. */
    static int version(Tx tx, Path file) throws SQLException {
        int version = pragma(tx, "user_version");
        int application = pragma(tx, "application_id");
        if (application != APPLICATION_ID && (application != 0 || hasTables(tx))) {
            throw new StoreException(Kind.FOREIGN,
                    file + " is a SQLite database of another program; choose another file for Heddle");
        }
        return SCRIPTS.requireKnown(tx, file.toString(), version);
    }

    /** Runs a script of many statements. */
    static void execute(Tx tx, String script) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            statement.executeUpdate(script);
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
