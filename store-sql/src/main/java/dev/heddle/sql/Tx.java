package dev.heddle.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/**
 * A handle on a database transaction: a connection and the statements prepared on it. One thread at a time uses it. The
 * code that opened the transaction commits it or rolls it back.
 */
public final class Tx implements AutoCloseable {

    private static final int BATCH_SIZE = 1_000;

    private final Connection connection;
    private final Dialect dialect;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private @Nullable Instant time;

    /** Wraps a connection, which {@link #close} closes. */
    public Tx(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    /** Returns the connection, for statements that this class cannot run. */
    public Connection connection() {
        return connection;
    }

    Dialect dialect() {
        return dialect;
    }

    /** Sets what {@link #now} returns, in a database without a server and so without a clock. */
    public void setTime(Instant now) {
        time = now;
    }

    /** Returns the time by the clock of the store, which decides when jobs are due. */
    public Instant now() throws SQLException {
        return time == null ? dialect.now(this) : time;
    }

    /** Returns the statement for this SQL, prepared at its first use, with the given parameters bound in order. */
    public PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = dialect.prepare(connection, sql);
            statements.put(sql, statement);
        }
        bind(statement, parameters);
        return statement;
    }

    /** Binds parameters in order, from the first. */
    public void bind(PreparedStatement statement, @Nullable Object... parameters) throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            bindAt(statement, i + 1, parameters[i]);
        }
    }

    /** Binds one parameter, which may be null. */
    public void bindAt(PreparedStatement statement, int index, @Nullable Object value) throws SQLException {
        if (value == null) {
            statement.setNull(index, Types.NULL);
        } else {
            dialect.bind(statement, index, value);
        }
    }

    /** Runs a statement that changes rows, and returns how many it changed. */
    public int update(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeUpdate();
    }

    /** Runs the same statement for many rows of parameters, in few round trips. */
    public <T> void batch(String sql, List<T> rows, Function<T, @Nullable Object[]> parameters) throws SQLException {
        counted(sql, rows, parameters);
    }

    /** Does the same, and returns how many rows each statement changed. */
    public <T> int[] counted(String sql, List<T> rows, Function<T, @Nullable Object[]> parameters)
            throws SQLException {
        int[] counts = new int[rows.size()];
        for (int from = 0; from < rows.size(); from += BATCH_SIZE) {
            PreparedStatement statement = prepare(sql);
            for (T row : rows.subList(from, Math.min(from + BATCH_SIZE, rows.size()))) {
                bind(statement, parameters.apply(row));
                statement.addBatch();
            }
            int[] some = statement.executeBatch();
            System.arraycopy(some, 0, counts, from, some.length);
        }
        return counts;
    }

    /** Runs a query. The caller closes the result before it runs the same SQL again. */
    public ResultSet query(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeQuery();
    }

    /** Closes all prepared statements. A driver may have closed one that failed, so call this after every error. */
    public void closeStatements() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
        statements.clear();
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }
}
