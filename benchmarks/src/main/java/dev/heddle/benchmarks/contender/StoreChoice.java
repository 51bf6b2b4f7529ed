package dev.heddle.benchmarks.contender;

import java.util.Locale;

/** The stores that take part, as given by {@code --store}. */
public enum StoreChoice {

    /** SQLite, and H2 for reference. */
    SQLITE,
    /** One PostgreSQL server, started for the run. */
    POSTGRES,
    /** Both, one after the other. */
    ALL;

    public boolean has(Database database) {
        return this == ALL || (this == POSTGRES) == database.hasServer();
    }

    public static StoreChoice of(String name) {
        for (StoreChoice choice : values()) {
            if (choice.name().toLowerCase(Locale.ROOT).equals(name)) {
                return choice;
            }
        }
        throw new IllegalArgumentException("--store is sqlite, postgres or all, not " + name);
    }
}
