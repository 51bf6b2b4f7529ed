package dev.heddle.benchmarks;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import org.h2.jdbcx.JdbcDataSource;

/** What a product keeps its jobs in. */
enum Database {

    SQLITE("SQLite", true, "WAL, synchronous=FULL") {
        @Override
        DataSource plain(Place place) {
            return new DurableSqlite(place.directory().resolve("jobs.db"));
        }
    },

    /** As it ships: commits reach the disk up to half a second later, so this is no match for a durable store. */
    H2("H2", false, "as it ships: commits are synced late, not durable") {
        @Override
        DataSource plain(Place place) {
            JdbcDataSource source = new JdbcDataSource();
            source.setURL("jdbc:h2:file:" + place.directory().resolve("jobs").toAbsolutePath());
            return source;
        }
    },

    /** A database of its own on the one server, which other processes can use as well. */
    POSTGRES("PostgreSQL", true, "fsync, synchronous_commit and full_page_writes on, as it ships") {
        @Override
        DataSource plain(Place place) {
            return new DurablePostgres(place.address());
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
    abstract DataSource plain(Place place);

    boolean hasServer() {
        return this == POSTGRES;
    }

    /** With all its connections open, so that nobody waits for one while time is taken. */
    HikariDataSource pooled(Place place, int connections, boolean autoCommit) {
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
