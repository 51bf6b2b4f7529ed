package dev.heddle.cli.config;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.heddle.cli.config.Config.StoreConfig.Postgresql;
import dev.heddle.cli.config.Config.StoreConfig.Sqlite;
import dev.heddle.cli.shell.LogFormat;
import dev.heddle.command.CommandRuntime;
import dev.heddle.control.Redaction;
import dev.heddle.pool.PoolSettings;
import dev.heddle.pool.Staging;
import dev.heddle.process.Headroom;
import dev.heddle.process.Isolation;
import dev.heddle.worktree.WorktreePool;
import org.junit.jupiter.api.Test;
import org.slf4j.event.Level;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The keys of the configuration file other than types of jobs. */
class ConfigFileTest extends ConfigFixture {

    @Test
    void hasADefaultForEveryKey() throws Exception {
        for (Config config : new Config[]{ConfigFile.defaults(directory.resolve(".heddle")), read(""),
            read("# nothing\n")}) {
            assertThat(config.store()).isEqualTo(new Sqlite(directory.resolve(".heddle/heddle.db")));
            assertThat(config.pool().workers()).isEqualTo(4);
            assertThat(config.pool().claiming()).isEqualTo(PoolSettings.Claiming.standard());
            assertThat(config.pool().recovering()).isEqualTo(PoolSettings.Recovering.standard());
            assertThat(config.pool().retention().age()).isEqualTo(Duration.ofDays(7));
            assertThat(config.server().host()).isEqualTo("127.0.0.1");
            assertThat(config.server().port()).isEqualTo(7420);
            assertThat(config.server().token()).isNull();
            assertThat(config.log()).isEqualTo(new Config.LogConfig(Level.INFO, LogFormat.TEXT));
        }
    }

    @Test
    void readsEveryKey() throws Exception {
        Config config = read("""
                store:
                  postgresql:
                    url: jdbc:postgresql://db.example/app
                    user: heddle
                    password: ${DB_PASSWORD}
                    schema: jobs
                    connections: 20
                    startWithin: 2m
                workers: 8
                claimAhead: 0
                timeout: 90 s
                closeTimeout: 500ms
                pollEvery: 250ms
                claimErrors: {max: 3, backoff: 5s}
                recovery: {maxCrashes: 1, atOnce: 2, warm: 5, warmEvery: 500ms, slowUntil: 1m}
                retention: {age: 12h, checkpoints: 1d}
                server:
                  host: 0.0.0.0
                  port: 0
                  token: "${TOKEN}"
                  allowedHosts: jobs.example, www.example
                  allowRun: true
                process:
                  killTimeout: 3s
                  isolation: session
                  outputLimit: 10 MB
                  freeMemory: 1GB
                  freeDisk: 0B
                  envPrefix: ACODE
                  secrets: A*, B
                worktree: {baseDir: trees, keep: true, cleanupOnExit: false, trustRepositories: true}
                log:
                  level: Debug
                """, Map.of("DB_PASSWORD", "secret", "TOKEN", "t0ken"));

        assertThat(config.store()).isEqualTo(new Postgresql("jdbc:postgresql://db.example/app", "heddle", "secret",
                "jobs", 20, Duration.ofMinutes(2)));
        assertThat(config.pool().workers()).isEqualTo(8);
        assertThat(config.pool().claiming())
                .isEqualTo(new PoolSettings.Claiming(0, Duration.ofMillis(250), 3, Duration.ofSeconds(5)));
        assertThat(config.pool().recovering()).isEqualTo(
                new PoolSettings.Recovering(1, new Staging(2, 5, Duration.ofMillis(500), Duration.ofMinutes(1))));
        assertThat(config.pool().timeout()).isEqualTo(Duration.ofSeconds(90));
        assertThat(config.pool().closeTimeout()).isEqualTo(Duration.ofMillis(500));
        assertThat(config.pool().retention().age()).isEqualTo(Duration.ofHours(12));
        assertThat(config.pool().retention().checkpoints()).isEqualTo(Duration.ofDays(1));
        assertThat(config.server()).isEqualTo(
                new Config.ServerConfig("0.0.0.0", 0, "t0ken", List.of("jobs.example", "www.example"), true,
                        new Config.ListenerGuard(false, null, null, null, Duration.ofSeconds(10),
                                Duration.ofSeconds(60), null, Duration.ofDays(90)),
                        Redaction.STANDARD));
        CommandRuntime.Settings workshop = config.workshop();
        assertThat(workshop.processes().grace()).isEqualTo(Duration.ofSeconds(3));
        assertThat(workshop.processes().isolation()).isEqualTo(Isolation.SESSION);
        assertThat(workshop.processes().headroom()).isEqualTo(new Headroom(1L << 30, 0));
        assertThat(workshop.outputLimit()).isEqualTo(10L << 20);
        assertThat(workshop.environment().prefix()).isEqualTo("ACODE");
        assertThat(workshop.environment().secrets()).containsExactlyInAnyOrder("A*", "B");
        assertThat(workshop.worktrees())
                .isEqualTo(new WorktreePool.Settings(directory.resolve("trees"), true, false, 8, true));
        assertThat(workshop.config()).isEqualTo(directory.resolve("heddle.yaml"));
        assertThat(config.log().level()).isEqualTo(Level.DEBUG);
    }

    @Test
    void resolvesTheSqliteFileAgainstItsOwnDirectory() throws Exception {
        assertThat(read("store: {sqlite: data/jobs.db}").store())
                .isEqualTo(new Sqlite(directory.resolve("data/jobs.db")));
        assertThat(read("store: {sqlite: /var/jobs.db}").store()).isEqualTo(new Sqlite(Path.of("/var/jobs.db")));
    }

    @Test
    void hidesThePasswordInAUrl() {
        assertThat(new Postgresql("jdbc:postgresql://h/d?user=a&password=b", null, null, "heddle", 1, Duration.ZERO)
                .label()).isEqualTo("jdbc:postgresql://h/d");
    }

    /** The documentation lists exactly these keys, each with its type and default. */
    @Test
    void documentsEveryKey() throws Exception {
        Pattern row = Pattern.compile("\\| `([\\w.]+)` \\| (\\w+) \\| (?:`([^`]*)`|–) \\|.*");
        var documented = Files.readAllLines(Path.of("../docs/reference/configuration.md")).stream().map(row::matcher)
                .filter(Matcher::matches)
                .map(match -> match.group(1) + " " + match.group(2) + " "
                        + (match.group(3) == null ? "" : match.group(3)))
                .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(
                ConfigKeys.ALL.stream().map(key -> key.path() + " " + key.type().name() + " " + key.defaultText())
                        .collect(Collectors.toCollection(TreeSet::new)));
    }

    @Test
    void needsTheSecretsOfANodeOnlyForANode() {
        byte[] content = """
                server:
                  token: ${TOKEN}
                types:
                  build:
                    command: [make]
                    env: {KEY: "${KEY}"}
                    onUnitFailed: {webhook: "https://example.org/hook", secret: "${SECRET}"}
                """.getBytes(StandardCharsets.UTF_8);
        Path file = directory.resolve("heddle.yaml");

        Config forCommand = ConfigFile.parse(file, content, directory, Map.of(), ConfigFile.Use.COMMAND);
        assertThat(forCommand.server().token()).isNull();
        assertThat(forCommand.types().commands()).isEmpty();
        assertThatThrownBy(() -> ConfigFile.parse(file, content, directory, Map.of(), ConfigFile.Use.NODE))
                .hasMessageContaining("which is not set");
        Map<String, String> all = Map.of("TOKEN", "0123456789abcdef", "KEY", "k", "SECRET", "s");
        assertThat(ConfigFile.parse(file, content, directory, all, ConfigFile.Use.NODE).server().token())
                .isEqualTo("0123456789abcdef");
    }
}
