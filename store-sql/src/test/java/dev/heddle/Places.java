package dev.heddle;

import java.nio.file.Path;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.PostgresServer;
import dev.heddle.testkit.PostgresServer.Version;

/** Where a store is, as a word that another process understands too. */
final class Places {

    /** Which kind of store. */
    enum Kind {
        SQLITE, POSTGRESQL
    }

    private Places() {}

    /** A new and empty one. */
    static String in(Kind kind, Path directory) {
        return switch (kind) {
            case SQLITE -> directory.resolve("jobs.db").toString();
            case POSTGRESQL -> PostgresServer.shared(Version.V18).createDatabase();
        };
    }

    static Store open(String place) {
        return place.startsWith("jdbc:") ? PostgresStore.builder().url(place).connections(6).open()
                : SqliteStore.at(Path.of(place));
    }
}
