package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.testkit.ManualClock;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;
import org.awaitility.Awaitility;

/** Gives each test its own schema on a shared server, which is cheaper than its own database. */
public final class Schemas {

    private static final AtomicInteger COUNT = new AtomicInteger();

    /** Shows the time of the test, if there is one, and otherwise that of the server. */
    private static final String STEERABLE_CLOCK = "coalesce((SELECT at FROM public.test_clock WHERE schema = '%s'), "
            + PostgresDialect.SERVER_CLOCK + ")";

    private final String url;
    private String schema = "";
    private String followed = "";
    private boolean steerable;

    /** Uses the shared server of a version. */
    public Schemas(Version version) {
        this.url = PostgresServer.shared(version).url();
    }

    /** Lets stores have a clock that {@link #follow} steers. */
    public Schemas steerable() {
        try {
            change("CREATE TABLE IF NOT EXISTS public.test_clock (schema text PRIMARY KEY, at timestamptz NOT NULL)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        steerable = true;
        return this;
    }

    /** Lets the server show the time of this clock to the stores of the last new schema, if it does not yet. */
    public void follow(ManualClock clock) {
        if (schema.equals(followed)) {
            return;
        }
        String following = schema;
        followed = schema;
        clock.lead(now -> setTime(following, now));
    }

    private void setTime(String of, Instant now) {
        try {
            change("INSERT INTO public.test_clock VALUES ('" + of + "', '" + now
                    + "') ON CONFLICT (schema) DO UPDATE SET at = excluded.at");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Opens a store in a new schema. */
    public PostgresStore openNew() {
        schema = "test_" + COUNT.incrementAndGet();
        return openAgain();
    }

    /** Opens the schema that {@link #openNew} created last. */
    public PostgresStore openAgain() {
        return builder().open();
    }

    /** Returns a builder for the schema that {@link #openNew} created last. */
    PostgresStoreBuilder builder() {
        PostgresStoreBuilder builder = PostgresStore.builder().url(url).schema(schema).connections(8);
        return steerable ? builder.clock(STEERABLE_CLOCK.formatted(schema)) : builder;
    }

    String schema() {
        return schema;
    }

    String url() {
        return url;
    }

    /** Changes rows directly and returns how many. {@code heddle.} stands for the schema. */
    int change(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            return statement.executeUpdate(sql.replace("heddle.", schema + "."));
        }
    }

    /** Waits until a number of statements on this schema wait for locks. */
    void awaitBlocked(int count) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            try (Connection connection = DriverManager.getConnection(url);
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery(
                            "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%"
                                    + schema + ".%'")) {
                return row.next() && row.getInt(1) == count;
            }
        });
    }

    /** Makes all nodes old enough to declare others dead. */
    void makeAllNodesSteady() throws SQLException {
        change("UPDATE heddle.node SET steady_since = '-infinity'");
    }

    /**
     * Ends the lease of a node that no longer renews it, and waits until another node has declared it dead. A lease
     * that expires by itself would have to be so short that other nodes could lose theirs on a slow machine.
     */
    void declareDead(String node) {
        Awaitility.await(node + " declared dead").atMost(Duration.ofSeconds(60)).until(() -> {
            makeAllNodesSteady();
            // Repeated, because a renewal may have been under way when the node was cut off.
            return change("UPDATE heddle.node SET lease_until = '-infinity' WHERE id = '" + node + "'") == 0;
        });
    }
}
