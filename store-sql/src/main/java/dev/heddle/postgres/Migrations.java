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
    private static final MigrationScripts SCRIPTS = new MigrationScripts(Migrations.class);

    private Migrations() {}

    static void run(Connections connections) {
        DatabaseAddress address = connections.address();
        if (version(connections) < LATEST) {
            int before = connections.migrate(tx -> {
                tx.query("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))", "heddle " + address.schema()).close();
                int version = version(tx, address);
                if (version < LATEST) {
                    migrate(tx, address.schema(), version);
                }
                return version;
            });
            if (before < LATEST) {
                LOG.info("{}: migrated schema {} from version {} to {}", address, address.schema(), before, LATEST);
            }
        }
    }

    /** Returns the version that this Heddle works with. */
    static int latest() {
        return LATEST;
    }

    /** Returns the version of the schema, 0 if there is none. Changes nothing. Throws if the schema is too new. */
    static int version(Connections connections) {
        return connections.once(tx -> version(tx, connections.address()));
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
        int version;
        try (ResultSet row = tx.query("SELECT coalesce(max(version), 0) FROM heddle.schema_version")) {
            version = row.next() ? row.getInt(1) : 0;
        }
        return SCRIPTS.requireKnown(tx, "schema " + address.schema() + " of " + address, version);
    }

    private static void migrate(Tx tx, String schema, int version) throws SQLException {
        try (Statement statement = tx.connection().createStatement()) {
            if (version == 0) {
                createSchema(tx, statement, schema);
            }
            if (MigrationScripts.mayLackParts(version)) {
                statement.execute(inSchema(schema, SCRIPTS.read("early_columns.sql")));
                statement.execute(inSchema(schema, SCRIPTS.readMissing("CREATE OR REPLACE VIEW")));
            }
            for (int step = version + 1; step <= LATEST; step++) {
                statement.execute(inSchema(schema, SCRIPTS.read(step)));
            }
        }
        SCRIPTS.record(tx);
    }

    private static String inSchema(String schema, String sql) {
        return sql.replace("heddle.", schema + ".");
    }

    private static void createSchema(Tx tx, Statement statement, String schema) throws SQLException {
        boolean missing;
        try (ResultSet row = tx.query("SELECT to_regnamespace(?) IS NULL", schema)) {
            missing = row.next() && row.getBoolean(1);
        }
        if (missing) {
            statement.execute("CREATE SCHEMA " + schema);
        }
        statement.execute(inSchema(schema, """
                CREATE TABLE heddle.schema_version (
                    version      integer     PRIMARY KEY,
                    installed_at timestamptz NOT NULL DEFAULT now()
                );
                COMMENT ON TABLE heddle.schema_version IS 'The migrations that were run; the largest is the version.';
                """));
    }
}
