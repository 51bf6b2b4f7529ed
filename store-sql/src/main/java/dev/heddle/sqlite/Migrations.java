package dev.heddle.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Objects;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database to the schema of this version, forward only, each step in one transaction. SQLite's own
 * {@code user_version} holds the number of the last step, {@code application_id} says whose file it is.
 */
final class Migrations {

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    /** "hddl" in ASCII. */
    static final int APPLICATION_ID = 0x6864646C;

    /** In order; what is published here never changes. */
    private static final List<String> STEPS = List.of("001_initial.sql");

    private Migrations() {}

    static void run(Connection connection, Path file) throws SQLException {
        int version = pragma(connection, "user_version");
        int application = pragma(connection, "application_id");
        if (application != APPLICATION_ID && (application != 0 || hasTables(connection))) {
            throw new StoreException(Kind.FOREIGN,
                    file + " is a SQLite database of another program; give Heddle a file of its own");
        }
        if (version > STEPS.size()) {
            throw new StoreException(Kind.FOREIGN, file + " has schema version " + version
                    + ", and this Heddle knows versions up to " + STEPS.size() + "; use a newer Heddle");
        }
        for (int next = version; next < STEPS.size(); next++) {
            try (Statement statement = connection.createStatement()) {
                statement.executeUpdate(script(STEPS.get(next)));
                statement.executeUpdate("PRAGMA application_id = " + APPLICATION_ID);
                statement.executeUpdate("PRAGMA user_version = " + (next + 1));
            }
            connection.commit();
            LOG.info("{}: schema brought to version {}", file, next + 1);
        }
    }

    private static int pragma(Connection connection, String name) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA " + name)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    private static boolean hasTables(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1 FROM sqlite_schema LIMIT 1")) {
            return rows.next();
        }
    }

    private static String script(String name) {
        try (InputStream in = Objects.requireNonNull(Migrations.class.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }
}
