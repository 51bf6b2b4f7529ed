package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.heddle.job.DurationText;
import dev.heddle.job.Limits;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.util.Objects.requireNonNull;

/** The settings of a {@link PostgresStore}. A URL or a data source is required; everything else has a default. */
public final class PostgresStoreBuilder {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
    /** Describes valid schema names, for error messages. */
    public static final String SCHEMAS = "use lower-case letters, digits and underscores, up to 55 of them";
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,54}");
    private static final Duration RETRY_INTERVAL = Duration.ofMillis(500);

    private @Nullable String url;
    private @Nullable DataSource source;
    private @Nullable String user;
    private @Nullable String password;
    private String schema = "heddle";
    private String clock = PostgresDialect.SERVER_CLOCK;
    private int connections = 10;
    private Duration startWithin = Duration.ofSeconds(30);

    PostgresStoreBuilder() {}

    /** Sets a JDBC URL such as {@code jdbc:postgresql://host:5432/database}. */
    public PostgresStoreBuilder url(String jdbcUrl) {
        this.url = requireNonNull(jdbcUrl, "jdbcUrl");
        return this;
    }

    /** Sets the user, unless the URL has one. */
    public PostgresStoreBuilder user(String name) {
        this.user = requireNonNull(name, "name");
        return this;
    }

    /** Sets the password, unless the URL has one. */
    public PostgresStoreBuilder password(String secret) {
        this.password = requireNonNull(secret, "secret");
        return this;
    }

    /** Uses the application's connections. The store does not close the data source. */
    public PostgresStoreBuilder dataSource(DataSource own) {
        this.source = requireNonNull(own, "own");
        return this;
    }

    /** Sets the schema for Heddle's tables, which is created if it does not exist. The default is {@code heddle}. */
    public PostgresStoreBuilder schema(String name) {
        this.schema = requireNonNull(name, "name");
        return this;
    }

    /** Sets the maximum size of the store's own connection pool. The default is 10; a busy node uses about six. */
    public PostgresStoreBuilder connections(int most) {
        this.connections = most;
        return this;
    }

    /** Sets how long to wait for a server that is not up yet. The default is 30 seconds. */
    public PostgresStoreBuilder startWithin(Duration longest) {
        this.startWithin = requireNonNull(longest, "longest");
        return this;
    }

    /** Sets the expression for the time by which jobs are due, for tests that steer it. */
    PostgresStoreBuilder clock(String sql) {
        this.clock = requireNonNull(sql, "sql");
        return this;
    }

    /**
     * Waits for the server, migrates the schema, and opens the store.
     *
     * @throws IllegalArgumentException if the schema name is not valid
     * @throws StoreException if the server does not come up in time, or refuses the connection
     */
    public PostgresStore open() {
        if (!isSchema(schema)) {
            throw new IllegalArgumentException("not a schema name: '" + schema + "'; " + SCHEMAS);
        }
        Connections open = source != null ? shared(source) : own();
        try {
            Migrations.run(open);
        } catch (Throwable e) {
            open.close();
            throw e;
        }
        return new PostgresStore(open);
    }

    /** Returns whether the driver understands the URL. Does not connect. */
    public static boolean isUrl(String url) {
        return url.startsWith("jdbc:postgresql:") && Driver.parseURL(url, null) != null;
    }

    /** Returns whether a schema may have this name. */
    public static boolean isSchema(String name) {
        return SCHEMA.matcher(name).matches();
    }

    /**
     * Returns the version of the schema, 0 if there is none. Changes nothing.
     *
     * @throws StoreException if the server does not come up in time, or refuses the connection
     */
    public int schemaVersion() {
        try (Connections open = source != null ? shared(source) : own()) {
            return Migrations.version(open);
        }
    }

    /** Returns the schema version that this Heddle works with. */
    public static int latestSchemaVersion() {
        return Migrations.latest();
    }

    private Connections shared(DataSource own) {
        DatabaseAddress address = reach(new DatabaseAddress("the database of the given data source", schema), () -> {
            try (Connection connection = own.getConnection()) {
                return DatabaseAddress.of(connection, schema);
            }
        });
        return new Connections(own, null, new PostgresDialect(schema, PlanCaching.FRESH, clock), address);
    }

    private Connections own() {
        if (url == null || !isUrl(url)) {
            throw new StoreException(Kind.UNREACHABLE, "not a PostgreSQL URL: "
                    + (url == null ? "none was given"
                            : "'" + (url.startsWith("jdbc:") ? "jdbc:" : "") + DatabaseAddress.of(url, schema) + "'")
                    + "; it looks like jdbc:postgresql://host:5432/database?user=name");
        }
        Properties properties = properties();
        PlanCaching.cache(properties);
        DatabaseAddress address = reach(DatabaseAddress.of(url, schema), () -> {
            try (Connection connection = DriverManager.getConnection(url, properties)) {
                if (!PlanCaching.isInEffect(connection)) {
                    PlanCaching.doNotCache(properties);
                }
                return DatabaseAddress.of(connection, schema);
            } catch (SQLException e) {
                if (!PlanCaching.isRefused(e)) {
                    throw e;
                }
                PlanCaching.doNotCache(properties);
                try (Connection connection = DriverManager.getConnection(url, properties)) {
                    return DatabaseAddress.of(connection, schema);
                }
            }
        });
        PlanCaching planCaching = properties.containsKey("options") ? PlanCaching.CACHED : PlanCaching.FRESH;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setDataSourceProperties(properties);
        config.setPoolName("heddle-" + schema);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(5_000);
        config.setValidationTimeout(1_000);
        // The pool must not connect here: if the server has just gone away, it would throw its own exception.
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        return new Connections(pool, pool, new PostgresDialect(schema, planCaching, clock), address);
    }

    /** Returns the defaults of connections, which parameters of the URL override. */
    private Properties properties() {
        Properties properties = new Properties();
        if (user != null) {
            properties.setProperty("user", user);
        }
        if (password != null) {
            properties.setProperty("password", password);
        }
        properties.setProperty("ApplicationName", "heddle");
        properties.setProperty("connectTimeout", "5");
        properties.setProperty("socketTimeout", "60");
        properties.setProperty("tcpKeepAlive", "true");
        return properties;
    }

    private interface Attempt {
        DatabaseAddress run() throws SQLException;
    }

    private DatabaseAddress reach(DatabaseAddress address, Attempt attempt) {
        long deadline = System.nanoTime() + Limits.waitNanos(startWithin);
        for (boolean logged = false;; logged = true) {
            try {
                return attempt.run();
            } catch (SQLException e) {
                StoreException translated = PostgresErrors.translate(address, e);
                if (!PostgresErrors.isTemporary(e)) {
                    throw translated;
                }
                if (deadline - System.nanoTime() < RETRY_INTERVAL.toNanos()) {
                    throw new StoreException(Kind.UNREACHABLE,
                            "gave up after " + DurationText.of(startWithin) + ": " + translated.getMessage(), e);
                }
                if (!logged) {
                    LOG.warn("Retrying for up to {}: {}", DurationText.of(startWithin), translated.getMessage());
                }
                pause(address);
            }
        }
    }

    private static void pause(DatabaseAddress address) {
        try {
            Thread.sleep(RETRY_INTERVAL);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNREACHABLE, "interrupted while waiting for " + address, e);
        }
    }
}
