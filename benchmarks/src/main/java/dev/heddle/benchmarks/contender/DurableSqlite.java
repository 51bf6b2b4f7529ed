package dev.heddle.benchmarks.contender;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteConfig.JournalMode;
import org.sqlite.SQLiteConfig.SynchronousMode;
import org.sqlite.SQLiteConnection;
import org.sqlite.SQLiteDataSource;

/**
 * SQLite with the same durability as Heddle: WAL and an fsync at each commit. {@code synchronous} is a setting of the
 * connection, so every connection is checked before a product gets it: one without fsync would win the benchmark.
 */
final class DurableSqlite extends SQLiteDataSource {

    private static final String FULL = "2";

    DurableSqlite(Path file) {
        super(config());
        setUrl("jdbc:sqlite:" + file.toAbsolutePath());
    }

    private static SQLiteConfig config() {
        SQLiteConfig config = new SQLiteConfig();
        config.setJournalMode(JournalMode.WAL);
        config.setSynchronous(SynchronousMode.FULL);
        config.setBusyTimeout(60_000);
        return config;
    }

    @Override
    public SQLiteConnection getConnection(String user, String password) throws SQLException {
        SQLiteConnection connection = super.getConnection(user, password);
        require(connection, "synchronous", FULL);
        require(connection, "journal_mode", "wal");
        return connection;
    }

    private static void require(Connection connection, String pragma, String expected) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("PRAGMA " + pragma)) {
            String actual = rows.getString(1);
            if (!expected.equalsIgnoreCase(actual)) {
                throw new SQLException("PRAGMA " + pragma + " is " + actual + ", not " + expected
                        + ": the figures would not be durable ones");
            }
        }
    }
}
