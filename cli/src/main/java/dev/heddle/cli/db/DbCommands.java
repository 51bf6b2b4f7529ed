package dev.heddle.cli.db;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Stores;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Format;
import dev.heddle.postgres.PostgresStoreBuilder;
import dev.heddle.sqlite.SqliteFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands about the store itself. */
public final class DbCommands {

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private DbCommands() {}

    public static List<Object> all(Desk desk) {
        return List.of(new Status(desk), new Migrate(desk), new Backup(desk));
    }

    /**
     * A store from outside.
     *
     * @param version of its schema; 0 where there is none yet
     * @param latest the version this Heddle works with
     * @param bytes of its file; null where it is no file
     */
    record Inspection(String store, String kind, int version, int latest, @Nullable Long bytes) {}

    private static Inspection inspect(Desk desk) throws IOException {
        return switch (desk.place().config().store()) {
            case StoreConfig.Sqlite(Path file) when !Files.exists(file) ->
                new Inspection(file.toString(), "sqlite", 0, SqliteFile.latestSchemaVersion(), null);
            case StoreConfig.Sqlite(Path file) -> new Inspection(file.toString(), "sqlite",
                    Stores.file(file, desk.place().home()).schemaVersion(), SqliteFile.latestSchemaVersion(),
                    Files.size(file));
            case StoreConfig.Postgresql postgresql -> new Inspection(postgresql.label(), "postgresql",
                    Stores.builder(postgresql).startWithin(PATIENCE).schemaVersion(),
                    PostgresStoreBuilder.latestSchemaVersion(),
                    null);
        };
    }

    @Command(name = "status", description = "Show where the store is and which version its schema has; changes nothing.")
    static final class Status implements Callable<Integer> {
        private final Desk desk;

        @Mixin private final Format format = new Format();

        Status(Desk desk) {
            this.desk = desk;
        }

        @Override
        public Integer call() throws IOException {
            format.one(desk.screen(), inspect(desk), this::print);
            return Exit.OK.code();
        }

        private void print(Inspection store) {
            desk.screen().print("store   " + store.store());
            desk.screen().print("kind    " + store.kind());
            desk.screen().print("schema  " + (store.version() == 0 ? "none yet; the first use makes it"
                    : "version " + store.version() + (store.version() == store.latest() ? ", the latest"
                            : " of " + store.latest() + "; 'heddle db migrate' brings it up to date")));
            if (store.bytes() != null) {
                desk.screen().print("size    " + (store.bytes() + 1023) / 1024 + " KiB");
            }
        }
    }

    @Command(name = "migrate", description = {
        "Bring the schema up to date, or make it; 'serve' does so by itself.",
        "For a SQLite file no node may be running."})
    static final class Migrate implements Callable<Integer> {
        private final Desk desk;

        @Mixin private final Format format = new Format();

        Migrate(Desk desk) {
            this.desk = desk;
        }

        @Override
        public Integer call() throws IOException {
            int before = inspect(desk).version();
            Stores.open(desk.place().config().store(), desk.place().home(), PATIENCE).close();
            format.one(desk.screen(), inspect(desk), now -> desk.screen().print(now.version() == before
                    ? "version " + now.version() + " already, nothing to do"
                    : "brought from version " + before + " to " + now.version()));
            return Exit.OK.code();
        }
    }

    @Command(name = "backup", description = "Copy a SQLite store to a file as it stands at one moment; a node may be running.")
    static final class Backup implements Callable<Integer> {
        private final Desk desk;

        @Parameters(paramLabel = "FILE", description = "The copy; must not exist.") @SuppressWarnings("NullAway.Init") // set before call()
        private Path target;

        @Mixin private final Format format = new Format();

        Backup(Desk desk) {
            this.desk = desk;
        }

        /** The copy. */
        record Copy(String file, long bytes) {}

        @Override
        public Integer call() throws IOException {
            Path source = switch (desk.place().config().store()) {
                case StoreConfig.Sqlite(Path file) -> file;
                case StoreConfig.Postgresql postgresql -> throw CliException.usage(postgresql.label()
                        + " is backed up by PostgreSQL's own tools: pg_dump --schema=" + postgresql.schema()
                        + " --format=custom --file=" + target + " …");
            };
            if (!Files.exists(source)) {
                throw new CliException(Exit.NOT_FOUND,
                        source + " does not exist; there is nothing to back up");
            }
            Stores.file(source, desk.place().home()).backUpTo(target);
            format.one(desk.screen(),
                    new Copy(target.toAbsolutePath().normalize().toString(), Files.size(target)),
                    copy -> desk.screen().print(copy.file()));
            return Exit.OK.code();
        }
    }
}
