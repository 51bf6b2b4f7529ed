package dev.heddle.cli.access;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.home.Home;
import dev.heddle.postgres.PostgresStore;
import dev.heddle.postgres.PostgresStoreBuilder;
import dev.heddle.sqlite.SqliteFile;
import dev.heddle.sqlite.SqliteLibrary;
import dev.heddle.sqlite.SqliteStore;
import dev.heddle.store.Store;

/** Opens the store that a configuration names. */
public final class Stores {

    private Stores() {}

    /** Opens the store for a node and creates it if needed. Waits for a PostgreSQL server that is still starting. */
    public static Store open(StoreConfig config, Home home) {
        return switch (config) {
            case StoreConfig.Sqlite(var file) -> {
                home.create();
                SqliteLibrary.keepIn(home.nativeLibraries());
                yield SqliteStore.at(file);
            }
            case StoreConfig.Postgresql postgresql -> builder(postgresql).open();
        };
    }

    /** Opens the store for a command, which waits for a PostgreSQL server no longer than the given time. */
    public static Store open(StoreConfig config, Home home, Duration timeout) {
        return config instanceof StoreConfig.Postgresql postgresql ? builder(postgresql).startWithin(timeout).open()
                : open(config, home);
    }

    /** Returns a SQLite file for inspection or backup. Creates no home. */
    public static SqliteFile file(Path file, Home home) {
        if (Files.isDirectory(home.directory())) {
            SqliteLibrary.keepIn(home.nativeLibraries());
        }
        return SqliteFile.at(file);
    }

    /** Returns a builder for the configured PostgreSQL store. */
    public static PostgresStoreBuilder builder(StoreConfig.Postgresql config) {
        PostgresStoreBuilder builder = PostgresStore.builder().url(config.url()).schema(config.schema())
                .connections(config.connections()).startWithin(config.startWithin());
        if (config.user() != null) {
            builder.user(config.user());
        }
        if (config.password() != null) {
            builder.password(config.password());
        }
        return builder;
    }
}
