package dev.heddle;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Sees by triggers in PostgreSQL when nodes get and lose attempts, by the clock of the machine. */
final class StoreTrace implements AutoCloseable {

    private final Connection connection;

    private StoreTrace(Connection connection) {
        this.connection = connection;
    }

    /** Adds the triggers to a store that has been opened once. */
    static StoreTrace of(String location) throws SQLException {
        StoreTrace trace = new StoreTrace(DriverManager.getConnection(location));
        try (Statement statement = trace.connection.createStatement()) {
            statement.execute("""
                    CREATE TABLE attempt_trace (got boolean, seq bigint, attempt integer, at timestamptz);
                    CREATE FUNCTION trace_got() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        INSERT INTO public.attempt_trace VALUES (TRUE, NEW.seq, NEW.attempt, clock_timestamp());
                        RETURN NULL;
                    END $$;
                    CREATE FUNCTION trace_lost() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                        INSERT INTO public.attempt_trace VALUES (FALSE, OLD.seq, OLD.attempt, clock_timestamp());
                        RETURN NULL;
                    END $$;
                    CREATE TRIGGER trace_got AFTER UPDATE OF node ON heddle.live FOR EACH ROW
                        WHEN (OLD.node IS NULL AND NEW.node IS NOT NULL) EXECUTE FUNCTION trace_got();
                    CREATE TRIGGER trace_lost AFTER UPDATE OF node ON heddle.live FOR EACH ROW
                        WHEN (OLD.node IS NOT NULL AND NEW.node IS NULL) EXECUTE FUNCTION trace_lost();
                    CREATE TRIGGER trace_deleted AFTER DELETE ON heddle.live FOR EACH ROW
                        WHEN (OLD.node IS NOT NULL) EXECUTE FUNCTION trace_lost()""");
        }
        return trace;
    }

    /** Returns when nodes got attempts ({@code true}) or lost them, in microseconds, by job and attempt. */
    Map<String, Long> times(boolean got) throws SQLException {
        Map<String, Long> times = new HashMap<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("""
                        SELECT j.id || ' ' || t.attempt, (extract(epoch FROM t.at) * 1000000)::bigint
                        FROM public.attempt_trace t JOIN heddle.job j ON j.seq = t.seq WHERE t.got = %s"""
                        .formatted(got))) {
            while (rows.next()) {
                times.put(rows.getString(1), rows.getLong(2));
            }
        }
        return times;
    }

    /** Returns the rows of a query of one column, as text. */
    List<String> rows(String sql) throws SQLException {
        List<String> found = new ArrayList<>();
        try (Statement statement = connection.createStatement(); ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                found.add(rows.getString(1));
            }
        }
        return found;
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
