package dev.heddle.benchmarks;

import java.util.Locale;

/** The stores that take part, as given by {@code --store}. */
enum StoreChoice {

    /** SQLite, and H2 for reference. */
    SQLITE,
    /** One PostgreSQL server, started for the run. */
    POSTGRES,
    /** Both, one after the other. */
    ALL;

    boolean has(Database database) {
        return this == ALL || (this == POSTGRES) == database.hasServer();
    }

    static StoreChoice of(String name) {
        for (StoreChoice choice : values()) {
            if (choice.name().toLowerCase(Locale.ROOT).equals(name)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("--store is sqlite, postgres or all, not " + name);
    }
}
