package dev.heddle.cli.config;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import dev.heddle.cli.config.Config.MoneyConfig;
import dev.heddle.cli.config.Config.PoolConfig;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.FileTrouble;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.command.Workshop;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.pool.Staging;
import dev.heddle.postgres.PostgresStoreBuilder;
import dev.heddle.process.EnvironmentRules;
import dev.heddle.process.Headroom;
import dev.heddle.store.Retention;
import dev.heddle.worktree.Worktrees;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code heddle.yaml}. Strict: whatever it does not know, or cannot mean what it says, is refused with the
 * file, the line and the nearest right thing.
 */
public final class ConfigFile {

    /** Its name, next to the home. */
    public static final String NAME = "heddle.yaml";

    private ConfigFile() {}

    /** What holds where there is no file. */
    public static Config standard(Path home) {
        return config(new Values(Map.of(), Path.of(NAME)), home, Map.of(), null);
    }

    /** What the file says, and the defaults where it says nothing. */
    public static Config read(Path file, Path home, Map<String, String> environment) {
        if (Files.isDirectory(file)) {
            throw CliException.usage("'" + file + "' is a directory; check --config");
        }
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            throw new CliException(Exit.USAGE, file + " does not exist; check --config", e);
        } catch (IOException e) {
            throw FileTrouble.reading(file, e);
        }
        YamlTree.Content content = YamlTree.read(file, text, environment);
        Values values = new Values(content.leaves(), file);
        return config(values, home, content.sections(), file);
    }

    private static List<String> taken() {
        return Stream.concat(BuiltInTypes.names().stream(), Stream.of(BuiltInTypes.RUN, BuiltInTypes.BATCH))
                .toList();
    }

    private static Config config(Values values, Path home, Map<String, YamlNode> sections,
            @Nullable Path file) {
        Types types = Types.of(sections.get(Keys.TYPES), values.directory(), taken());
        return new Config(store(values, home), pool(values),
                new ServerConfig(values.get(Keys.HOST), values.get(Keys.PORT), values.find(Keys.TOKEN),
                        Objects.requireNonNullElse(values.find(Keys.ALLOWED_HOSTS), List.of()),
                        values.get(Keys.ALLOW_RUN)),
                workshop(values, home, file), types,
                new MoneyConfig(MoneySections.prices(sections.get(Keys.PRICES)),
                        MoneySections.budgets(sections.get(Keys.BUDGETS))),
                values.get(Keys.LOG_LEVEL));
    }

    private static Workshop.Settings workshop(Values values, Path home, @Nullable Path file) {
        Workshop.Settings standard = Workshop.Settings.in(home);
        EnvironmentRules environment = EnvironmentRules.standard();
        List<String> secrets = values.find(Keys.SECRETS);
        try {
            environment = environment.prefix(values.get(Keys.ENV_PREFIX));
        } catch (IllegalArgumentException e) {
            throw values.wrong(Keys.ENV_PREFIX, "cannot be so: " + e.getMessage());
        }
        Path trees = values.has(Keys.BASE_DIR)
                ? values.directory().resolve(values.get(Keys.BASE_DIR)).normalize()
                : standard.worktrees().baseDirectory();
        Workshop.Settings settings = standard
                .processes(standard.processes().grace(values.get(Keys.KILL_TIMEOUT))
                        .isolation(values.get(Keys.ISOLATION))
                        .headroom(new Headroom(values.get(Keys.FREE_MEMORY), values.get(Keys.FREE_DISK))))
                .worktrees(new Worktrees.Settings(trees, values.get(Keys.KEEP), values.get(Keys.CLEANUP),
                        values.get(Keys.WORKERS)))
                .environment(secrets == null ? environment : environment.secrets(secrets))
                .outputLimit(values.get(Keys.OUTPUT_LIMIT));
        return file == null ? settings : settings.config(file);
    }

    private static PoolConfig pool(Values values) {
        Retention standard = Retention.standard();
        return new PoolConfig(values.get(Keys.WORKERS), values.longerThanZero(Keys.TIMEOUT),
                values.get(Keys.CLOSE_TIMEOUT),
                new Claiming(values.get(Keys.CLAIM_AHEAD), values.find(Keys.POLL_EVERY),
                        values.get(Keys.MAX_ERRORS), values.longerThanZero(Keys.MAX_BACKOFF)),
                new Recovering(values.get(Keys.MAX_CRASHES),
                        new Staging(values.get(Keys.AT_ONCE), values.get(Keys.WARM),
                                values.get(Keys.WARM_EVERY), values.get(Keys.SLOW_UNTIL))),
                new Retention(values.get(Keys.AGE), standard.count(), values.get(Keys.CHECKPOINTS),
                        standard.batch()));
    }

    private static StoreConfig store(Values values, Path home) {
        boolean postgresql = Keys.ALL.stream().anyMatch(
                key -> key.path().startsWith("store.postgresql.") && values.has(key));
        if (!postgresql) {
            return new StoreConfig.Sqlite(values.has(Keys.SQLITE)
                    ? values.directory().resolve(values.get(Keys.SQLITE)).normalize()
                    : home.resolve("heddle.db"));
        }
        if (values.has(Keys.SQLITE)) {
            throw values.wrong(Keys.SQLITE, "stands beside a store.postgresql; keep one of them");
        }
        if (!values.has(Keys.URL)) {
            throw values.wrongSection("store.postgresql.", "has no url; add one, such as "
                    + "jdbc:postgresql://host:5432/database");
        }
        if (!PostgresStoreBuilder.isUrl(values.get(Keys.URL))) {
            throw values.wrong(Keys.URL, "is not a PostgreSQL URL; it looks like "
                    + "jdbc:postgresql://host:5432/database");
        }
        if (!PostgresStoreBuilder.isSchema(values.get(Keys.SCHEMA))) {
            throw values.wrong(Keys.SCHEMA,
                    "'" + values.get(Keys.SCHEMA) + "' cannot be the name of a schema; "
                            + PostgresStoreBuilder.SCHEMAS);
        }
        return new StoreConfig.Postgresql(values.get(Keys.URL), values.find(Keys.USER),
                values.find(Keys.PASSWORD), values.get(Keys.SCHEMA), values.get(Keys.CONNECTIONS),
                values.get(Keys.START_WITHIN));
    }
}
