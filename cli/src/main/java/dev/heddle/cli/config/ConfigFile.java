package dev.heddle.cli.config;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.access.Role;
import dev.heddle.cli.config.Config.ListenerGuard;
import dev.heddle.cli.config.Config.MoneyConfig;
import dev.heddle.cli.config.Config.PoolConfig;
import dev.heddle.cli.config.Config.ProxyConfig;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.config.Config.StoreConfig;
import dev.heddle.cli.config.Config.TlsConfig;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.FileErrors;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.command.CommandRuntime;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.pool.PoolSettings.Claiming;
import dev.heddle.pool.PoolSettings.Recovering;
import dev.heddle.pool.Staging;
import dev.heddle.postgres.PostgresStoreBuilder;
import dev.heddle.process.Headroom;
import dev.heddle.process.environment.EnvironmentRules;
import dev.heddle.store.Retention;
import dev.heddle.worktree.WorktreePool;
import org.jspecify.annotations.Nullable;

/** Reads {@code heddle.yaml}. Rejects unknown keys and invalid values with the file, the line and a suggestion. */
public final class ConfigFile {

    /** The default file name; the file is next to the home. */
    public static final String NAME = "heddle.yaml";

    private ConfigFile() {}

    /** Returns the configuration that applies without a file. */
    public static Config defaults(Path home) {
        return config(new ConfigValues(Map.of(), Path.of(NAME)), home, Map.of(), null);
    }

    /** What a configuration is read for. */
    public enum Use {
        /** A node, which uses all keys. */
        NODE,
        /** A command. It ignores what only nodes use, so it needs no variables for their secrets. */
        COMMAND
    }

    private static final Set<String> ONLY_FOR_NODES = Set.of(ConfigKeys.TYPES, ConfigKeys.TOKEN.path());

    /** Reads a file for a node. Keys it does not have get their defaults. */
    public static Config read(Path file, Path home, Map<String, String> environment) {
        return parse(file, content(file), home, environment, Use.NODE);
    }

    /** Returns the content of a file. */
    public static byte[] content(Path file) {
        if (Files.isDirectory(file)) {
            throw CliException.usage("'" + file + "' is a directory; check --config");
        }
        try {
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new CliException(ExitCode.USAGE, file + " does not exist; check --config", e);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
        }
    }

    /** Parses the content of a file. Keys it does not have get their defaults. */
    public static Config parse(Path file, byte[] content, Path home, Map<String, String> environment, Use use) {
        YamlTree.Content tree = YamlTree.read(file, text(file, content), environment,
                use == Use.COMMAND ? ONLY_FOR_NODES : Set.of());
        return config(new ConfigValues(tree.leaves(), file), home, tree.sections(), file);
    }

    private static String text(Path file, byte[] content) {
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
        } catch (CharacterCodingException e) {
            throw FileErrors.reading(file, e);
        }
    }

    private static boolean isReserved(String type) {
        return BuiltInTypes.names().contains(type) || ReservedNames.isReservedType(type);
    }

    private static Config config(ConfigValues values, Path home, Map<String, YamlNode> sections, @Nullable Path file) {
        TypesConfig types = TypesConfig.of(sections.get(ConfigKeys.TYPES), values.directory(), ConfigFile::isReserved);
        return new Config(store(values, home), pool(values, sections),
                server(values, sections.get(ConfigKeys.REDACTION)), workshop(values, home, file), types,
                ScheduleReader.schedules(sections.get(ConfigKeys.SCHEDULES)),
                new MoneyConfig(MoneyReader.prices(sections.get(ConfigKeys.PRICES)),
                        MoneyReader.budgets(sections.get(ConfigKeys.BUDGETS))),
                values.get(ConfigKeys.ALLOW_PRIVATE),
                new Config.LogConfig(values.get(ConfigKeys.LOG_LEVEL), values.get(ConfigKeys.LOG_FORMAT)),
                values.get(ConfigKeys.PROTECT_NODE));
    }

    private static ServerConfig server(ConfigValues values, @Nullable YamlNode redaction) {
        if (values.has(ConfigKeys.TLS_CERTIFICATE) != values.has(ConfigKeys.TLS_KEY)) {
            throw values.wrongSection("server.tls.", "needs both a certificate and a key");
        }
        TlsConfig tls = values.has(ConfigKeys.TLS_KEY)
                ? new TlsConfig(values.directory().resolve(values.get(ConfigKeys.TLS_CERTIFICATE)).normalize(),
                        values.directory().resolve(values.get(ConfigKeys.TLS_KEY)).normalize())
                : null;
        return new ServerConfig(values.get(ConfigKeys.HOST), values.get(ConfigKeys.PORT), values.find(ConfigKeys.TOKEN),
                Objects.requireNonNullElse(values.find(ConfigKeys.ALLOWED_HOSTS), List.of()),
                values.get(ConfigKeys.ALLOW_RUN),
                new ListenerGuard(values.get(ConfigKeys.BEHIND_PROXY), tls, values.find(ConfigKeys.MAX_CONNECTIONS),
                        values.find(ConfigKeys.MAX_PER_ADDRESS), values.positive(ConfigKeys.HEADER_TIMEOUT),
                        values.positive(ConfigKeys.BODY_TIMEOUT), proxy(values), values.get(ConfigKeys.AUDIT)),
                RedactionReader.redaction(redaction));
    }

    private static @Nullable ProxyConfig proxy(ConfigValues values) {
        List<String> addresses = values.find(ConfigKeys.PROXY_ADDRESSES);
        return addresses == null || addresses.isEmpty() ? null
                : new ProxyConfig(addresses, values.get(ConfigKeys.PROXY_USER), values.get(ConfigKeys.PROXY_GROUPS),
                        Map.of(Role.VIEWER, groups(values, ConfigKeys.PROXY_VIEWERS), Role.OPERATOR,
                                groups(values, ConfigKeys.PROXY_OPERATORS), Role.ADMIN,
                                groups(values, ConfigKeys.PROXY_ADMINS)));
    }

    private static Set<String> groups(ConfigValues values, ConfigKey<List<String>> key) {
        return Set.copyOf(Objects.requireNonNullElse(values.find(key), List.of()));
    }

    private static CommandRuntime.Settings workshop(ConfigValues values, Path home, @Nullable Path file) {
        CommandRuntime.Settings standard = CommandRuntime.Settings.in(home);
        EnvironmentRules environment = EnvironmentRules.standard();
        List<String> secrets = values.find(ConfigKeys.SECRETS);
        try {
            environment = environment.prefix(values.get(ConfigKeys.ENV_PREFIX));
        } catch (IllegalArgumentException e) {
            throw values.wrong(ConfigKeys.ENV_PREFIX, "is invalid: " + e.getMessage());
        }
        Path trees = values.has(ConfigKeys.BASE_DIR)
                ? values.directory().resolve(values.get(ConfigKeys.BASE_DIR)).normalize()
                : standard.worktrees().baseDirectory();
        CommandRuntime.Settings settings = standard
                .processes(standard.processes().grace(values.get(ConfigKeys.KILL_TIMEOUT))
                        .isolation(values.get(ConfigKeys.ISOLATION))
                        .headroom(new Headroom(values.get(ConfigKeys.FREE_MEMORY), values.get(ConfigKeys.FREE_DISK))))
                .worktrees(new WorktreePool.Settings(trees, values.get(ConfigKeys.KEEP), values.get(ConfigKeys.CLEANUP),
                        values.get(ConfigKeys.WORKERS), values.get(ConfigKeys.TRUST_REPOSITORIES)))
                .environment(secrets == null ? environment : environment.secrets(secrets))
                .outputLimit(values.get(ConfigKeys.OUTPUT_LIMIT));
        return file == null ? settings : settings.config(file);
    }

    private static PoolConfig pool(ConfigValues values, Map<String, YamlNode> sections) {
        Retention standard = Retention.standard();
        return new PoolConfig(values.get(ConfigKeys.WORKERS), values.positive(ConfigKeys.TIMEOUT),
                values.get(ConfigKeys.CLOSE_TIMEOUT),
                new Claiming(values.get(ConfigKeys.CLAIM_AHEAD), values.find(ConfigKeys.POLL_EVERY),
                        values.get(ConfigKeys.MAX_ERRORS), values.positive(ConfigKeys.MAX_BACKOFF)),
                new Recovering(values.get(ConfigKeys.MAX_CRASHES),
                        new Staging(values.get(ConfigKeys.AT_ONCE), values.get(ConfigKeys.WARM),
                                values.get(ConfigKeys.WARM_EVERY), values.get(ConfigKeys.SLOW_UNTIL))),
                new Retention(values.get(ConfigKeys.AGE), standard.count(), values.get(ConfigKeys.CHECKPOINTS),
                        standard.batch()),
                LimitsReader.limits(sections.get(ConfigKeys.LIMITS)));
    }

    private static StoreConfig store(ConfigValues values, Path home) {
        boolean postgresql = ConfigKeys.ALL.stream()
                .anyMatch(key -> key.path().startsWith("store.postgresql.") && values.has(key));
        if (!postgresql) {
            return new StoreConfig.Sqlite(values.has(ConfigKeys.SQLITE)
                    ? values.directory().resolve(values.get(ConfigKeys.SQLITE)).normalize()
                    : home.resolve("heddle.db"));
        }
        if (values.has(ConfigKeys.SQLITE)) {
            throw values.wrong(ConfigKeys.SQLITE, "cannot be combined with store.postgresql; keep one");
        }
        if (!values.has(ConfigKeys.URL)) {
            throw values.wrongSection("store.postgresql.",
                    "has no url; add one, such as " + "jdbc:postgresql://host:5432/database");
        }
        if (!PostgresStoreBuilder.isUrl(values.get(ConfigKeys.URL))) {
            throw values.wrong(ConfigKeys.URL,
                    "is not a PostgreSQL URL such as " + "jdbc:postgresql://host:5432/database");
        }
        if (!PostgresStoreBuilder.isSchema(values.get(ConfigKeys.SCHEMA))) {
            throw values.wrong(ConfigKeys.SCHEMA, "'" + values.get(ConfigKeys.SCHEMA) + "' is not a valid schema name; "
                    + PostgresStoreBuilder.SCHEMAS);
        }
        return new StoreConfig.Postgresql(values.get(ConfigKeys.URL), values.find(ConfigKeys.USER),
                values.find(ConfigKeys.PASSWORD), values.get(ConfigKeys.SCHEMA), values.get(ConfigKeys.CONNECTIONS),
                values.get(ConfigKeys.START_WITHIN));
    }
}
