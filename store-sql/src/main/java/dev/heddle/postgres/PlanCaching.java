package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

import org.postgresql.PGStatement;

/**
 * How statements are planned. PostgreSQL caches the plan of a prepared statement, and a plan made while the queue was
 * empty reads whole tables: with 200,000 jobs it claims 40 per second, until the tables are analyzed.
 */
enum PlanCaching {

    /**
     * Plans are cached, on connections that are set to prefer indexes. That is right for every statement of Heddle,
     * however large the tables are, and most statements take less time to run than to plan.
     */
    CACHED,

    /** Statements are planned for every execution, on connections whose settings Heddle does not control. */
    FRESH;

    private static final String PREFER_INDEXES = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"
            + " -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off";

    /** Sets the properties of connections for {@link #CACHED} plans, and their {@link TimeLimits}. */
    static void cache(Properties properties) {
        properties.setProperty("options", PREFER_INDEXES + " " + TimeLimits.OPTIONS);
    }

    /** Sets the properties of connections for {@link #FRESH} plans. */
    static void doNotCache(Properties properties) {
        properties.remove("options");
        properties.setProperty("prepareThreshold", "0");
    }

    /** Returns whether the settings are in effect. A pooler may drop them, and options in the URL replace them. */
    static boolean isInEffect(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW enable_seqscan")) {
            return row.next() && row.getString(1).equals("off");
        }
    }

    /** Returns whether a pooler has refused the settings. */
    static boolean isRefused(SQLException e) {
        return e.getMessage() != null && e.getMessage().contains("startup parameter");
    }

    PreparedStatement apply(PreparedStatement statement) throws SQLException {
        if (this == FRESH && statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
        return statement;
    }
}
