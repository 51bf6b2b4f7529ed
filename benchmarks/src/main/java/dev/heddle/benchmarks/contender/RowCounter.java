package dev.heddle.benchmarks.contender;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

import javax.sql.DataSource;

/** Counts rows on a separate connection, because the product may have only one. */
final class RowCounter implements AutoCloseable {

    private final Connection connection;
    private final PreparedStatement query;

    RowCounter(DataSource source, String sql) throws SQLException {
        connection = source.getConnection();
        query = connection.prepareStatement(sql);
    }

    synchronized long get() {
        try (ResultSet rows = query.executeQuery()) {
            rows.next();
            return rows.getLong(1);
        } catch (SQLException e) {
            throw new IllegalStateException("cannot count the unfinished jobs", e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException("cannot close the connection that counts", e);
        }
    }
}
