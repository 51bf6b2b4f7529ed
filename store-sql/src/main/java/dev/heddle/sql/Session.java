package dev.heddle.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;

/** A connection with its prepared statements, used by one thread at a time. */
public final class Session implements AutoCloseable {

    private static final int MOST_AT_ONCE = 1_000;

    private final Connection connection;
    private final Dialect dialect;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    public Session(Connection connection, Dialect dialect) {
        this.connection = connection;
        this.dialect = dialect;
    }

    public Connection connection() {
        return connection;
    }

    Dialect dialect() {
        return dialect;
    }

    /** The statement for this text, prepared once, with its parameters set in order. */
    public PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = dialect.prepare(connection, sql);
            statements.put(sql, statement);
        }
        bind(statement, parameters);
        return statement;
    }

    public void bind(PreparedStatement statement, @Nullable Object... parameters) throws SQLException {
        bindFrom(1, statement, parameters);
    }

    public void bindFrom(int first, PreparedStatement statement, @Nullable Object... parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            Object value = parameters[i];
            if (value == null) {
                statement.setNull(first + i, Types.NULL);
            } else {
                dialect.bind(statement, first + i, value);
            }
        }
    }

    public int update(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeUpdate();
    }

    /** The same statement for many rows of parameters, sent in few round trips. */
    public <T> void batch(String sql, List<T> rows, Function<T, @Nullable Object[]> parameters)
            throws SQLException {
        for (int from = 0; from < rows.size(); from += MOST_AT_ONCE) {
            PreparedStatement statement = prepare(sql);
            for (T row : rows.subList(from, Math.min(from + MOST_AT_ONCE, rows.size()))) {
                bind(statement, parameters.apply(row));
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    public ResultSet query(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeQuery();
    }

    /** A statement that failed may be closed by its driver, so after an error all of them are prepared anew. */
    public void forgetStatements() throws SQLException {
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
