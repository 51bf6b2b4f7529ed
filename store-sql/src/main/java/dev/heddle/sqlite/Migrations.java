package dev.heddle.sqlite;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
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

    /** The version that this Heddle works with. */
    static int latest() {
        return STEPS.size();
    }

    static void run(Session session, Path file) throws SQLException {
        for (int step = version(session, file) + 1; step <= STEPS.size(); step++) {
            int number = step;
            Database.transaction(session, transaction -> migrate(transaction, number));
            LOG.info("{}: schema brought to version {}", file, step);
        }
    }

    /** 0 where there is nothing yet; refuses what is not ours, or newer than we are. */
    static int version(Session session, Path file) throws SQLException {
        int version = pragma(session, "user_version");
        int application = pragma(session, "application_id");
        if (application != APPLICATION_ID && (application != 0 || hasTables(session))) {
            throw new StoreException(Kind.FOREIGN,
                    file + " is a SQLite database of another program; give Heddle a file of its own");
        }
        if (version > STEPS.size()) {
            throw new StoreException(Kind.FOREIGN, file + " has schema version " + version
                    + ", and this Heddle knows versions up to " + STEPS.size() + "; use a newer Heddle");
        }
        return version;
    }

    private static int migrate(Session session, int step) throws SQLException {
        try (Statement statement = session.connection().createStatement()) {
            statement.executeUpdate(script(STEPS.get(step - 1)));
            statement.executeUpdate("PRAGMA application_id = " + APPLICATION_ID);
            return statement.executeUpdate("PRAGMA user_version = " + step);
        }
    }

    private static int pragma(Session session, String name) throws SQLException {
        try (ResultSet rows = session.query("PRAGMA " + name)) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    private static boolean hasTables(Session session) throws SQLException {
        try (ResultSet rows = session.query("SELECT 1 FROM sqlite_schema LIMIT 1")) {
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
