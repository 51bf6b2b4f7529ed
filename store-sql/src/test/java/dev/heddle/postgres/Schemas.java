package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;

/** A schema for each test on one server: cheaper than a database each. */
final class Schemas {

    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String url;
    private String schema = "";

    Schemas(Version version) {
        this.url = PostgresServer.shared(version).url();
    }

    PostgresStore openNew() {
        schema = "test_" + COUNT.incrementAndGet();
        return openAgain();
    }

    PostgresStore openAgain() {
        return builder().open();
    }

    /** For what {@link #openNew} opened last. */
    PostgresStoreBuilder builder() {
        return PostgresStore.builder().url(url).schema(schema).connections(8);
    }

    String schema() {
        return schema;
    }

    String url() {
        return url;
    }

    /** Changes rows by hand; {@code heddle.} stands for the schema. Returns how many. */
    int change(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql.replace("heddle.", schema + "."));
        }
    }

    /** All nodes have been there for long, and may declare others dead. */
    void letAllBeSteady() throws SQLException {
        change("UPDATE heddle.node SET steady_since = '-infinity'");
    }

    /**
     * Ends the lease of a node that does not renew it, and waits until another has declared it dead. A lease that ends by
     * itself would have to be so short that a node on a slow machine loses its own.
     */
    void bury(String node) {
        Awaitility.await("the burial of " + node).atMost(Duration.ofSeconds(60)).until(() -> {
            letAllBeSteady();
            // Again and again: a renewal may have been under way when the node was cut off.
            return change("UPDATE heddle.node SET lease_until = '-infinity' WHERE id = '" + node + "'") == 0;
        });
    }
}
