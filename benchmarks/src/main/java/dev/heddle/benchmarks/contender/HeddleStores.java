package dev.heddle.benchmarks.contender;

import dev.heddle.postgres.PostgresStore;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;

/** Heddle's stores with default settings. */
public final class HeddleStores {

    private HeddleStores() {}

    public static Store at(Database database, StoreLocation place) {
        return switch (database) {
            case SQLITE -> SqliteStore.at(place.directory().resolve("jobs.db"));
            case POSTGRES -> PostgresStore.at(place.address());
            case H2 -> throw new IllegalArgumentException("Heddle has no store for " + database.label);
        };
    }
}
