package dev.heddle;

import java.nio.file.Path;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;

/** The location of a store as one string, to pass to another process. */
final class StoreLocations {

    /** The kinds of stores. */
    enum Kind {
        SQLITE, POSTGRESQL
    }

    private StoreLocations() {}

    /** Returns the location of a new, empty store. */
    static String create(Kind kind, Path directory) {
        return switch (kind) {
            case SQLITE -> directory.resolve("jobs.db").toString();
            case POSTGRESQL -> PostgresServer.shared(Version.V18).createDatabase();
        };
    }

    static Store open(String location) {
        return location.startsWith("jdbc:") ? PostgresStore.builder().url(location).connections(6).open()
                : SqliteStore.at(Path.of(location));
    }
}
