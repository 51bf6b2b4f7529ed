package dev.heddle.benchmarks.contender;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import org.postgresql.ds.PGSimpleDataSource;

/**
 * PostgreSQL with its default durability. {@code synchronous_commit} is a setting of the session, so every connection
 * is checked before a product gets it.
 */
final class DurablePostgres extends PGSimpleDataSource {

    private static final long serialVersionUID = 1L;

    DurablePostgres(String url) {
        setUrl(url);
    }

    @Override
    public Connection getConnection() throws SQLException {
        Connection connection = super.getConnection();
        require(connection);
        return connection;
    }

    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        Connection connection = super.getConnection(user, password);
        require(connection);
        return connection;
    }

    private static void require(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String setting : List.of("fsync", "synchronous_commit", "full_page_writes")) {
                try (ResultSet rows = statement.executeQuery("SHOW " + setting)) {
                    rows.next();
                    if (!rows.getString(1).equals("on")) {
                        throw new SQLException(setting + " is " + rows.getString(1)
                                + ", not on: the figures would not be durable ones");
                    }
                }
            }
        }
    }
}
