package dev.heddle.migration;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;

/** A store of an earlier revision: a resource in {@code stores}, whose README says how it was made. */
sealed interface EarlierStore {

    /** Returns all stores of a kind. */
    static Stream<Path> all(String suffix) {
        try {
            Path directory = Path.of(Objects.requireNonNull(EarlierStore.class.getResource("/stores/make")).toURI())
                    .resolveSibling("");
            try (Stream<Path> files = Files.list(directory)) {
                return files.filter(file -> file.toString().endsWith(suffix)).sorted().toList().stream();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Unpacks a store into a directory, or loads it into a new database. */
    static EarlierStore of(Path resource, Path directory) throws IOException, SQLException {
        return resource.toString().endsWith(".sql") ? PostgresDatabase.load(resource)
                : SqliteFile.unpack(resource, directory);
    }

    String url();

    Store open();

    /** Creates an empty store of the same kind and closes it. */
    EarlierStore createNew() throws SQLException;

    /** Returns a line for everything in the schema that matters to queries. */
    List<String> schema() throws SQLException;

    /** Runs a script on the database. */
    default void execute(String script) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            if (this instanceof SqliteFile) {
                statement.executeUpdate(script); // execute would run only its first statement
            } else {
                statement.execute(script);
            }
        }
    }

    /** Returns the rows of queries, as text. */
    default List<String> rows(String... queries) throws SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url());
                Statement statement = connection.createStatement()) {
            for (String query : queries) {
                try (ResultSet row = statement.executeQuery(query)) {
                    while (row.next()) {
                        StringBuilder text = new StringBuilder();
                        for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
                            text.append(String.valueOf(row.getString(i)).replaceAll("\\s+", " ")).append(" | ");
                        }
                        rows.add(text.toString());
                    }
                }
            }
        }
        return rows.stream().sorted().toList();
    }

    /** A file that was packed with gzip. */
    record SqliteFile(Path file) implements EarlierStore {

        static EarlierStore unpack(Path resource, Path directory) throws IOException {
            Path file = directory.resolve("jobs.db");
            try (InputStream in = new GZIPInputStream(Files.newInputStream(resource))) {
                Files.copy(in, file);
            }
            return new SqliteFile(file);
        }

        @Override
        public EarlierStore createNew() {
            Path other = file.resolveSibling("new.db");
            SqliteStore.at(other).close();
            return new SqliteFile(other);
        }

        @Override
        public String url() {
            return "jdbc:sqlite:" + file;
        }

        @Override
        public Store open() {
            return SqliteStore.at(file);
        }

        @Override
        public List<String> schema() throws SQLException {
            return rows("""
                    SELECT t.name, c.name, c.type, c."notnull", c.dflt_value, c.pk
                    FROM sqlite_schema t, pragma_table_info(t.name) c WHERE t.type IN ('table', 'view')""",
                    "SELECT type, name, sql FROM sqlite_schema WHERE type <> 'table'");
        }
    }

    /** A database into which a dump was loaded. */
    record PostgresDatabase(String url) implements EarlierStore {

        static EarlierStore load(Path resource) throws IOException, SQLException {
            EarlierStore database = create();
            database.execute(Files.readString(resource, StandardCharsets.UTF_8));
            return database;
        }

        private static EarlierStore create() {
            return new PostgresDatabase(PostgresServer.shared(Version.V18).createDatabase());
        }

        @Override
        public EarlierStore createNew() {
            EarlierStore created = create();
            created.open().close();
            return created;
        }

        @Override
        public Store open() {
            return PostgresStore.builder().url(url).connections(4).open();
        }

        @Override
        public List<String> schema() throws SQLException {
            return rows("""
                    SELECT table_name, column_name, data_type, is_nullable, column_default, identity_generation
                    FROM information_schema.columns WHERE table_schema = 'heddle'""",
                    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'heddle'", """
                            SELECT conrelid::regclass, conname, pg_get_constraintdef(oid) FROM pg_constraint
                            WHERE connamespace = 'heddle'::regnamespace AND contype <> 'n'""",
                    "SELECT viewname, definition FROM pg_views WHERE schemaname = 'heddle'");
        }
    }
}
