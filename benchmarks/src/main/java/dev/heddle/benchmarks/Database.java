package dev.heddle.benchmarks;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcDataSource;

/** A database file that a peer runs on. */
enum Database {

    SQLITE("SQLite", true, "WAL, synchronous=FULL") {
        @Override
        DataSource plain(Path directory) {
            return new DurableSqlite(directory.resolve("jobs.db"));
        }
    },

    /** As it ships: commits reach the disk up to half a second later, so this is no match for a durable store. */
    H2("H2", false, "as it ships: commits are synced late, not durable") {
        @Override
        DataSource plain(Path directory) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:file:" + directory.resolve("jobs").toAbsolutePath());
            return source;
        }
    };

    final String label;
    final boolean durable;
    final String settings;

    Database(String label, boolean durable, String settings) {
        this.label = label;
        this.durable = durable;
        this.settings = settings;
    }

    /** Opens a new connection at each request. */
    abstract DataSource plain(Path directory);

    HikariDataSource pooled(Path directory, int connections, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(plain(directory));
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(connections);
        config.setConnectionTimeout(60_000);
        return new HikariDataSource(config);
    }

    /** Runs the statements of a script, which end in semicolons. */
    static void run(String script, DataSource source) throws SQLException {
        try (Connection connection = source.getConnection(); var statement = connection.createStatement()) {
            for (String sql : script.split(";", -1)) {
                if (!sql.isBlank()) {
                    statement.execute(sql);
                }
            }
        }
    }
}
