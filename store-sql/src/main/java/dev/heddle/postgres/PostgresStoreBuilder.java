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
import dev.heddle.job.SpanText;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Says how to get to PostgreSQL. Either a URL or a data source is needed; everything else has a default. */
public final class PostgresStoreBuilder {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresStore.class);
    /** What the name of a schema may be, in words. */
    public static final String SCHEMAS = "use lower-case letters, digits and underscores, up to 55 of them";
    private static final Pattern SCHEMA = Pattern.compile("[a-z_][a-z0-9_]{0,54}");
    private static final Duration RETRY = Duration.ofMillis(500);

    private @Nullable String url;
    private @Nullable DataSource source;
    private @Nullable String user;
    private @Nullable String password;
    private String schema = "heddle";
    private int connections = 10;
    private Duration startWithin = Duration.ofSeconds(30);

    PostgresStoreBuilder() {}

    /** A JDBC URL such as {@code jdbc:postgresql://host:5432/database}. */
    public PostgresStoreBuilder url(String jdbcUrl) {
        this.url = jdbcUrl;
        return this;
    }

    public PostgresStoreBuilder user(String name) {
        this.user = name;
        return this;
    }

    public PostgresStoreBuilder password(String secret) {
        this.password = secret;
        return this;
    }

    /** The application's own connections; the store does not close it. */
    public PostgresStoreBuilder dataSource(DataSource own) {
        this.source = own;
        return this;
    }

    /** The schema with Heddle's tables, made where it does not exist; default {@code heddle}. */
    public PostgresStoreBuilder schema(String name) {
        this.schema = name;
        return this;
    }

    /** The most connections of the store's own pool; default 10. A busy node uses about six. */
    public PostgresStoreBuilder connections(int most) {
        this.connections = most;
        return this;
    }

    /** How long to wait for a server that is not up yet; default 30 s. */
    public PostgresStoreBuilder startWithin(Duration longest) {
        this.startWithin = longest;
        return this;
    }

    /**
     * Waits for the server, and brings the schema up to date.
     *
     * @throws StoreException where the server does not come up in time, or refuses us
     */
    public PostgresStore open() {
        if (!isSchema(schema)) {
            throw new IllegalArgumentException("not a schema name: '" + schema + "'; " + SCHEMAS);
        }
        Connections open = source != null ? shared(source) : own();
        try {
            Migrations.run(open);
        } catch (RuntimeException e) {
            open.close();
            throw e;
        }
        return new PostgresStore(open);
    }

    /** Whether the driver can make something of the URL, whatever answers there. */
    public static boolean isUrl(String url) {
        return url.startsWith("jdbc:postgresql:") && Driver.parseURL(url, null) != null;
    }

    /** Whether a schema may be called so. */
    public static boolean isSchema(String name) {
        return SCHEMA.matcher(name).matches();
    }

    /** The version of the schema as it stands, 0 where there is none. Changes nothing. */
    public int schemaVersion() {
        try (Connections open = source != null ? shared(source) : own()) {
            return Migrations.version(open);
        }
    }

    /** The version of the schema that this Heddle works with. */
    public static int latestSchemaVersion() {
        return Migrations.latest();
    }

    private Connections shared(DataSource own) {
        Server server = reach(new Server("the database of the given data source", schema),
                () -> {
                    try (Connection connection = own.getConnection()) {
                        return Server.of(connection, schema);
                    }
                });
        return new Connections(own, null, new PostgresDialect(schema, Plans.FRESH), server);
    }

    private Connections own() {
        if (url == null || !isUrl(url)) {
            throw new StoreException(Kind.UNREACHABLE, "not a PostgreSQL URL: "
                    + (url == null ? "none was given"
                            : "'" + (url.startsWith("jdbc:") ? "jdbc:" : "") + Server.of(url, schema) + "'")
                    + "; it looks like jdbc:postgresql://host:5432/database?user=name");
        }
        Properties properties = properties();
        Plans.keep(properties);
        Server server = reach(Server.of(url, schema), () -> {
            try (Connection connection = DriverManager.getConnection(url, properties)) {
                if (!Plans.areKept(connection)) {
                    Plans.refresh(properties);
                }
                return Server.of(connection, schema);
            } catch (SQLException e) {
                if (!Plans.areRefused(e)) {
                    throw e;
                }
                Plans.refresh(properties);
                try (Connection connection = DriverManager.getConnection(url, properties)) {
                    return Server.of(connection, schema);
                }
            }
        });
        Plans plans = properties.containsKey("options") ? Plans.KEPT : Plans.FRESH;
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        config.setDataSourceProperties(properties);
        config.setPoolName("heddle-" + schema);
        config.setMaximumPoolSize(connections);
        config.setConnectionTimeout(5_000);
        config.setValidationTimeout(1_000);
        // It would fail with an exception of its own where the server has gone away since it was reached.
        config.setInitializationFailTimeout(-1);
        HikariDataSource pool = new HikariDataSource(config);
        return new Connections(pool, pool, new PostgresDialect(schema, plans), server);
    }

    /** What the URL says itself wins over these. */
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
        Server run() throws SQLException;
    }

    private Server reach(Server server, Attempt attempt) {
        long deadline = System.nanoTime() + startWithin.toNanos();
        for (boolean told = false;; told = true) {
            try {
                return attempt.run();
            } catch (SQLException e) {
                StoreException meaning = PostgresErrors.translate(server, e);
                if (!PostgresErrors.mayHeal(e)) {
                    throw meaning;
                }
                if (System.nanoTime() + RETRY.toNanos() > deadline) {
                    throw new StoreException(Kind.UNREACHABLE,
                            "gave up after " + SpanText.of(startWithin) + ": " + meaning.getMessage(), e);
                }
                if (!told) {
                    LOG.warn("Trying again for up to {}: {}", SpanText.of(startWithin), meaning.getMessage());
                }
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(RETRY);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNREACHABLE, "interrupted while waiting for the server", e);
        }
    }
}
