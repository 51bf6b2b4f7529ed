package dev.heddle.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/** A connection with its prepared statements, used by one thread at a time. */
final class Session implements AutoCloseable {

    private final Connection connection;
    private final Map<String, PreparedStatement> statements = new HashMap<>();

    Session(Connection connection) {
        this.connection = connection;
    }

    Connection connection() {
        return connection;
    }

    /** The statement for this text, prepared once, with its parameters set in order. */
    PreparedStatement prepare(String sql, @Nullable Object... parameters) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(sql);
            statements.put(sql, statement);
        }
        bind(statement, parameters);
        return statement;
    }

    static void bind(PreparedStatement statement, @Nullable Object... parameters) throws SQLException {
        bindFrom(1, statement, parameters);
    }

    static void bindFrom(int first, PreparedStatement statement, @Nullable Object... parameters)
            throws SQLException {
        for (int i = 0; i < parameters.length; i++) {
            int at = first + i;
            switch (parameters[i]) {
                case null -> statement.setNull(at, Types.NULL);
                case String text -> statement.setString(at, text);
                case Integer number -> statement.setInt(at, number);
                case Long number -> statement.setLong(at, number);
                case Enum<?> word -> statement.setString(at, word.name());
                default -> throw new IllegalArgumentException("cannot bind a " + parameters[i].getClass());
            }
        }
    }

    int update(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeUpdate();
    }

    ResultSet query(String sql, @Nullable Object... parameters) throws SQLException {
        return prepare(sql, parameters).executeQuery();
    }

    /** The driver closes a statement that failed, so after an error all of them are prepared anew. */
    void forgetStatements() throws SQLException {
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
