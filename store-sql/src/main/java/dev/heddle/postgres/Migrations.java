package dev.heddle.postgres;

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
 * Migrates the schema to this version, forward only. Several nodes may start at once: a node that has to migrate
 * takes an advisory lock, checks the version again, and holds the lock until it commits. A node that finds the schema
 * up to date needs no privilege to change it.
 */
final class Migrations {

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    private static final int LATEST = MigrationScripts.latest();

    private Migrations() {}

    static void run(Connections connections) {
        DatabaseAddress address = connections.address();
        if (check(connections.once(tx -> version(tx, address)), address) < LATEST) {
            int before = connections.write(tx -> {
                tx.query("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", "heddle " + address.schema()).close();
                int version = check(version(tx, address), address);
                for (int step = version; step < LATEST; step++) {
                    migrate(tx, address.schema(), step);
                }
                return version;
            });
            if (before < LATEST) {
                LOG.info("{}: migrated schema {} to version {}", address, address.schema(), LATEST);
            }
        }
    }

    /** Returns the version that this Heddle works with. */
    static int latest() {
        return LATEST;
    }

    /** Returns the version of the schema, 0 if there is none. Changes nothing. */
    static int version(Connections connections) {
        return connections.once(tx -> version(tx, connections.address()));
    }

    private static int check(int version, DatabaseAddress address) {
        if (version > LATEST) {
            throw new StoreException(Kind.FOREIGN, "schema " + address.schema() + " of " + address + " has version "
                    + version + ", but this Heddle supports versions up to " + LATEST + "; use a newer Heddle");
        }
        return version;
    }

    /** Returns the version of the schema, 0 if it does not exist or is empty. */
    private static int version(Tx tx, DatabaseAddress address) throws SQLException {
        boolean versioned;
        boolean empty;
        try (ResultSet row = tx.query("""
                SELECT count(*) FILTER (WHERE c.relname = 'schema_version') = 1, count(*) = 0
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v')""", address.schema())) {
            row.next();
            versioned = row.getBoolean(1);
            empty = row.getBoolean(2);
        }
        if (!versioned && !empty) {
            throw new StoreException(Kind.FOREIGN, "schema " + address.schema() + " of " + address
                    + " has tables of another program; choose another schema for Heddle");
        }
        if (!versioned) {
            return 0;
        }
        try (ResultSet row = tx.query("SELECT coalesce(max(version), 0) FROM heddle.schema_version")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    private static void migrate(Tx tx, String schema, int step) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            if (step == 0) {
                createSchema(tx, statement, schema);
            }
            statement.execute(MigrationScripts.read(Migrations.class, step + 1).replace("heddle.", schema + "."));
            statement.execute("INSERT INTO " + schema + ".schema_version (version) VALUES (" + (step + 1) + ")");
        }
    }

    private static void createSchema(Tx tx, Statement statement, String schema) throws SQLException {
        boolean missing;
        try (ResultSet row = tx.query("SELECT to_regnamespace(?) IS NULL", schema)) {
            missing = row.next() && row.getBoolean(1);
        }
        if (missing) {
            statement.execute("CREATE SCHEMA " + schema);
        }
        statement.execute("""
                CREATE TABLE heddle.schema_version (
                    version      integer     PRIMARY KEY,
                    installed_at timestamptz NOT NULL DEFAULT now()
                );
                COMMENT ON TABLE heddle.schema_version IS 'The migrations that were run; the largest is the version.';
                """.replace("heddle.", schema + "."));
    }
}
