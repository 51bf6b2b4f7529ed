package dev.heddle.benchmarks;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/**
 * Databases on a PostgreSQL server. Each begins after a checkpoint, so that nobody pays for pages that somebody before
 * has left in memory.
 *
 * @param url of the database {@code postgres}
 * @param owner whose they are: nobody else's have the same names
 */
record ServerPlaces(String url, String owner) implements Places {

    @Override
    public Place at(String name) throws SQLException {
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

    private Place place(String database) {
        return new Place(url.replace("/postgres?", "/" + database + "?"));
    }

    @Override
    public void settle(Place place) throws SQLException {
        try (Connection connection = DriverManager.getConnection(place.address());
                Statement statement = connection.createStatement()) {
            statement.execute("VACUUM (ANALYZE)");
        }
    }

    @Override
    public void drop(Place place) throws SQLException {
        String database = place.address().replaceAll(".*/([^?]*)\\?.*", "$1");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP DATABASE " + database + " WITH (FORCE)");
        }
    }
}
