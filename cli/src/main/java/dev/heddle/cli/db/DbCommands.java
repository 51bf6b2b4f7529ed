package dev.heddle.cli.db;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Stores;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.OutputFormat;
import dev.heddle.postgres.PostgresStoreBuilder;
import dev.heddle.sqlite.SqliteFile;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle db}. */
public final class DbCommands {

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private DbCommands() {}

    /** Creates all commands of the group. */
    public static List<Object> all(CliContext context) {
        return List.of(new Status(context), new Migrate(context), new Backup(context), new CountsCommand(context));
    }

    /**
     * What is known of a store without opening it.
     *
     * @param version version of the schema; 0 if there is none yet
     * @param latest version that this Heddle uses
     * @param bytes size of the file; null if the store is not a file
     */
    record Inspection(String store, String kind, int version, int latest, @Nullable Long bytes) {}

    private static Inspection inspect(CliContext context) throws IOException {
        return switch (context.options().config().store()) {
            case StoreConfig.Sqlite(Path file) when !Files.exists(file) ->
                new Inspection(file.toString(), "sqlite", 0, SqliteFile.latestSchemaVersion(), null);
            case StoreConfig.Sqlite(Path file) ->
                new Inspection(file.toString(), "sqlite", Stores.file(file, context.options().home()).schemaVersion(),
                        SqliteFile.latestSchemaVersion(), Files.size(file));
            case StoreConfig.Postgresql postgresql -> new Inspection(postgresql.label(), "postgresql",
                    Stores.builder(postgresql).startWithin(CONNECT_TIMEOUT).schemaVersion(),
                    PostgresStoreBuilder.latestSchemaVersion(), null);
        };
    }

    @Command(name = "status", description = "Show the location and the schema version of the store.")
    static final class Status implements Callable<Integer> {
        private final CliContext context;

        @Mixin
        private final OutputFormat format = new OutputFormat();

        Status(CliContext context) {
            this.context = context;
        }

        @Override
        public Integer call() throws IOException {
            format.one(context.output(), inspect(context), this::print);
            return ExitCode.OK.code();
        }

        private void print(Inspection store) {
            context.output().print("store   " + store.store());
            context.output().print("kind    " + store.kind());
            context.output()
                    .print("schema  " + (store.version() == 0 ? "none yet; created on first use"
                            : "version " + store.version() + (store.version() == store.latest() ? " (latest)"
                                    : " of " + store.latest() + "; update it with 'heddle db migrate'")));
            if (store.bytes() != null) {
                context.output().print("size    " + (store.bytes() + 1023) / 1024 + " KiB");
            }
        }
    }

    @Command(name = "migrate", description = {
        "Create the schema or update it to the latest version. 'heddle serve' does this too.",
        "Stop the node first if the store is a SQLite file."})
    static final class Migrate implements Callable<Integer> {
        private final CliContext context;

        @Mixin
        private final OutputFormat format = new OutputFormat();

        Migrate(CliContext context) {
            this.context = context;
        }

        @Override
        public Integer call() throws IOException {
            int before = inspect(context).version();
            Stores.open(context.options().config().store(), context.options().home(), CONNECT_TIMEOUT).close();
            format.one(context.output(), inspect(context),
                    now -> context.output()
                            .print(now.version() == before ? "schema is up to date (version " + now.version() + ")"
                                    : "migrated schema from version " + before + " to " + now.version()));
            return ExitCode.OK.code();
        }
    }

    @Command(name = "backup",
            description = "Write a consistent copy of a SQLite store to a file. Works while a node is running.")
    static final class Backup implements Callable<Integer> {
        private final CliContext context;

        @Parameters(paramLabel = "FILE", description = "File to write. Must not exist.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private Path target;

        @Mixin
        private final OutputFormat format = new OutputFormat();

        Backup(CliContext context) {
            this.context = context;
        }

        /** The file that was written. */
        record Copy(String file, long bytes) {}

        @Override
        public Integer call() throws IOException {
            Path source = switch (context.options().config().store()) {
                case StoreConfig.Sqlite(Path file) -> file;
                case StoreConfig.Postgresql postgresql -> throw CliException
                        .usage(postgresql.label() + ": back up PostgreSQL with its own tools: pg_dump --schema="
                                + postgresql.schema() + " --format=custom --file=" + target + " …");
            };
            if (!Files.exists(source)) {
                throw new CliException(ExitCode.NOT_FOUND, source + " does not exist; nothing to back up");
            }
            Stores.file(source, context.options().home()).backUpTo(target);
            format.one(context.output(), new Copy(target.toAbsolutePath().normalize().toString(), Files.size(target)),
                    copy -> context.output().print(copy.file()));
            return ExitCode.OK.code();
        }
    }
}
