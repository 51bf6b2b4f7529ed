package dev.heddle.simulation;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.Function;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteFile;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.JobReader;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;

/** The store of real nodes. */
sealed interface RealStore {

    /** Opens the store at an address, which is a JDBC URL or a file. */
    static Store open(String address) {
        return address.startsWith("jdbc:") ? PostgresStore.builder().url(address).connections(8).open()
                : SqliteStore.at(Path.of(address));
    }

    /** Returns where a process finds the store. */
    String address();

    /** Returns whether several nodes may use the store at the same time. */
    boolean isShared();

    /** Reads the store while nodes use it. */
    <T> T read(Function<JobReader, T> reading);

    /** Breaks the connections of all nodes, if they have any. */
    void cut();

    /** A file of SQLite. */
    record Sqlite(Path directory) implements RealStore {

        private Path file() {
            return directory.resolve("jobs.db");
        }

        @Override
        public String address() {
            return file().toString();
        }

        @Override
        public boolean isShared() {
            return false;
        }

        /** Reads a copy: the file itself belongs to its node. */
        @Override
        public <T> T read(Function<JobReader, T> reading) {
            Path copies = directory.resolve("copies");
            Path copy = copies.resolve("jobs.db");
            try {
                Files.createDirectories(copies);
                SqliteFile.at(file()).backUpTo(copy);
                try (SqliteStore store = SqliteStore.at(copy)) {
                    return reading.apply(store);
                } finally {
                    Files.delete(copy);
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void cut() {
            // A file has no connections that could break.
        }
    }

    /** A database of PostgreSQL. */
    record Postgres(String address) implements RealStore {

        private static final int TRIES = 5;

        @Override
        public boolean isShared() {
            return true;
        }

        /** Tries again after {@link #cut}, which breaks the connections of this process too. */
        @Override
        public <T> T read(Function<JobReader, T> reading) {
            for (int tries = 1;; tries++) {
                try (Store store = PostgresStore.builder().url(address).connections(2).open()) {
                    return reading.apply(store);
                } catch (StoreException e) {
                    if (tries == TRIES) {
                        throw e;
                    }
                }
            }
        }

        @Override
        public void cut() {
            try (Connection connection = DriverManager.getConnection(address);
                    Statement statement = connection.createStatement()) {
                statement.execute("""
                        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                        WHERE datname = current_database() AND pid <> pg_backend_pid()""");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
