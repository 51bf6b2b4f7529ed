package dev.heddle.benchmarks.contender;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcDataSource;

/** The databases that contenders store their jobs in. */
public enum Database {

    SQLITE("SQLite", true, "WAL, synchronous=FULL") {
        @Override
        DataSource plain(StoreLocation place) {
            return new DurableSqlite(place.directory().resolve("jobs.db"));
        }
    },

    /** H2 with default settings. Commits reach the disk up to half a second later, so it is not durable. */
    H2("H2", false, "as it ships: commits are synced late, not durable") {
        @Override
        DataSource plain(StoreLocation place) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:file:" + place.directory().resolve("jobs").toAbsolutePath());
            return source;
        }
    },

    /** A separate database on the shared server, which other processes can use as well. */
    POSTGRES("PostgreSQL", true, "fsync, synchronous_commit and full_page_writes on, as it ships") {
        @Override
        DataSource plain(StoreLocation place) {
            return new DurablePostgres(place.address());
        }
    };

    public final String label;
    final boolean durable;
    final String settings;

    Database(String label, boolean durable, String settings) {
        this.label = label;
        this.durable = durable;
        this.settings = settings;
    }

    /** Returns a data source that opens a new connection for each request. */
    abstract DataSource plain(StoreLocation place);

    public boolean hasServer() {
        return this == POSTGRES;
    }

    /** Returns a connection pool with all connections open: no measurement includes opening one. */
    HikariDataSource pooled(StoreLocation place, int connections, boolean autoCommit) {
        HikariConfig config = new HikariConfig();
        config.setDataSource(plain(place));
        config.setAutoCommit(autoCommit);
        config.setMaximumPoolSize(connections);
        config.setMinimumIdle(connections);
        config.setConnectionTimeout(60_000);
        HikariDataSource source = new HikariDataSource(config);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (source.getHikariPoolMXBean().getTotalConnections() < connections) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("cannot open " + connections + " connections to " + label);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
        return source;
    }

    /** Runs the statements of a script, separated by semicolons. */
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
