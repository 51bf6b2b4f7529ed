package dev.heddle.postgres;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;

import dev.heddle.sql.Session;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the schema to this version, forward only. Several nodes may start at once: whoever has something to do holds
 * an advisory lock until it is committed, and looks again once it has it. A node that finds all in place needs no
 * right to change anything.
 */
final class Migrations {

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    /** In order; what is published here never changes. */
    private static final List<String> STEPS = List.of("001_initial.sql");

    private Migrations() {}

    static void run(Connections connections) {
        Server server = connections.server();
        if (check(connections.once(session -> version(session, server)), server) < STEPS.size()) {
            int before = connections.write(session -> {
                session.query("SELECT pg_advisory_xact_lock(hashtextextended(?, 0))",
                        "heddle " + server.schema())
                        .close();
                int version = check(version(session, server), server);
                for (int step = version; step < STEPS.size(); step++) {
                    migrate(session, server.schema(), step);
                }
                return version;
            });
            if (before < STEPS.size()) {
                LOG.info("{}: schema {} brought to version {}", server, server.schema(), STEPS.size());
            }
        }
    }

    /** The version that this Heddle works with. */
    static int latest() {
        return STEPS.size();
    }

    /** The version there is, 0 for none. Changes nothing. */
    static int version(Connections connections) {
        return connections.once(session -> version(session, connections.server()));
    }

    private static int check(int version, Server server) {
        if (version > STEPS.size()) {
            throw new StoreException(Kind.FOREIGN,
                    "schema " + server.schema() + " of " + server + " has version "
                            + version + ", and this Heddle knows versions up to " + STEPS.size()
                            + "; use a newer Heddle");
        }
        return version;
    }

    /** 0 where there is nothing yet. */
    private static int version(Session session, Server server) throws SQLException {
        boolean versioned;
        boolean empty;
        try (ResultSet row = session.query("""
                SELECT count(*) FILTER (WHERE c.relname = 'schema_version') = 1, count(*) = 0
                FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
                WHERE n.nspname = ? AND c.relkind IN ('r', 'p', 'v')""", server.schema())) {
            row.next();
            versioned = row.getBoolean(1);
            empty = row.getBoolean(2);
        }
        if (!versioned && !empty) {
            throw new StoreException(Kind.FOREIGN, "schema " + server.schema() + " of " + server
                    + " has tables of another program; give Heddle a schema of its own");
        }
        if (!versioned) {
            return 0;
        }
        try (ResultSet row = session.query("SELECT coalesce(max(version), 0) FROM heddle.schema_version")) {
            return row.next() ? row.getInt(1) : 0;
        }
    }

    private static void migrate(Session session, String schema, int step) throws SQLException {
        try (Statement statement = session.connection().createStatement()) {
            if (step == 0) {
                createSchema(session, statement, schema);
            }
            statement.execute(script(STEPS.get(step)).replace("heddle.", schema + "."));
            statement.execute(
                    "INSERT INTO " + schema + ".schema_version (version) VALUES (" + (step + 1) + ")");
        }
    }

    private static void createSchema(Session session, Statement statement, String schema)
            throws SQLException {
        boolean missing;
        try (ResultSet row = session.query("SELECT to_regnamespace(?) IS NULL", schema)) {
            missing = row.next() && row.getBoolean(1);
        }
        if (missing) {
            statement.execute("CREATE SCHEMA " + schema);
        }
        statement.execute(
                """
                        CREATE TABLE heddle.schema_version (
                            version      integer     PRIMARY KEY,
                            installed_at timestamptz NOT NULL DEFAULT now()
                        );
                        COMMENT ON TABLE heddle.schema_version IS 'The migrations that were run; the largest is the version.';
                        """
                        .replace("heddle.", schema + "."));
    }

    private static String script(String name) {
        try (InputStream in = Objects.requireNonNull(Migrations.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }
}
