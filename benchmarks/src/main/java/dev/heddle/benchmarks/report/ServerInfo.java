package dev.heddle.benchmarks.report;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The version and settings of the shared PostgreSQL server.
 *
 * @param settings that determine the cost and the durability of a commit
 */
public record ServerInfo(String version, Map<String, String> settings) {

    private static final List<String> TELLING = List.of("fsync", "synchronous_commit", "full_page_writes",
            "wal_sync_method", "shared_buffers", "wal_buffers", "max_wal_size", "checkpoint_timeout", "max_connections",
            "autovacuum", "default_transaction_isolation");

    public static ServerInfo at(String url) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            Map<String, String> settings = new LinkedHashMap<>();
            for (String name : TELLING) {
                settings.put(name, show(statement, name));
            }
            return new ServerInfo(show(statement, "server_version"), settings);
        }
    }

    private static String show(Statement statement, String name) throws SQLException {
        try (ResultSet rows = statement.executeQuery("SHOW " + name)) {
            rows.next();
            return rows.getString(1);
        }
    }

    public String line() {
        return "PostgreSQL " + version + ", " + settings.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue()).collect(Collectors.joining(", "));
    }
}
