package dev.heddle.benchmarks.contender;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Databases on a PostgreSQL server. Each is created after a checkpoint: no measurement pays for dirty pages of an
 * earlier one.
 *
 * @param url of the database {@code postgres}
 * @param owner the id of the contender, which makes the names unique
 */
public record PostgresLocations(String url, String owner) implements StoreLocations {

    @Override
    public StoreLocation at(String name) throws SQLException {
        String database = (owner + "_" + name).replaceAll("[^a-z0-9]", "_");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            try (ResultSet rows = statement
                    .executeQuery("SELECT 1 FROM pg_database WHERE datname = '" + database + "'")) {
                if (rows.next()) {
                    return place(database);
                }
            }
            statement.execute("CREATE DATABASE " + database);
            statement.execute("CHECKPOINT");
            return place(database);
        }
    }

    private StoreLocation place(String database) {
        return new StoreLocation(url.replace("/postgres?", "/" + database + "?"));
    }

    @Override
    public void settle(StoreLocation place) throws SQLException {
        try (Connection connection = DriverManager.getConnection(place.address());
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE)");
        }
    }

    @Override
    public void drop(StoreLocation place) throws SQLException {
        String database = place.address().replaceAll(".*/([^?]*)\\?.*", "$1");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + database + " WITH (FORCE)");
        }
    }
}
