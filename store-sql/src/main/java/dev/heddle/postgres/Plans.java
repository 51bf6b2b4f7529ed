package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;

import org.postgresql.PGStatement;

/**
 * How statements get their plans. PostgreSQL keeps the plan of a prepared statement, and one that was made while the
 * queue was empty reads whole tables: with 200,000 jobs it claims 40 a second, until the tables are analysed next.
 */
enum Plans {

    /**
     * Made once, on connections that are told to look rows up by their index. That is right for every statement of ours,
     * however large the tables are, and planning takes longer than most of them run.
     */
    KEPT,

    /** Made for every execution, on connections whose settings are not ours. */
    FRESH;

    private static final String LOOK_UP = "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off"
            + " -c enable_hashjoin=off -c enable_mergejoin=off -c enable_material=off";

    /** Asks for {@link #KEPT} plans on the connections that are made with the properties. */
    static void keep(Properties properties) {
        properties.setProperty("options", LOOK_UP);
    }

    /** The rest of what connections are made with has to do for {@link #FRESH} plans. */
    static void refresh(Properties properties) {
        properties.remove("options");
        properties.setProperty("prepareThreshold", "0");
    }

    /** A pooler may drop the settings, and the options of a URL replace them. */
    static boolean areKept(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SHOW enable_seqscan")) {
            return row.next() && row.getString(1).equals("off");
        }
    }

    /** Or it refuses them. */
    static boolean areRefused(SQLException e) {
        return e.getMessage() != null && e.getMessage().contains("startup parameter");
    }

    PreparedStatement apply(PreparedStatement statement) throws SQLException {
        if (this == FRESH && statement.isWrapperFor(PGStatement.class)) {
            statement.unwrap(PGStatement.class).setPrepareThreshold(0);
        }
        return statement;
    }
}
