package dev.heddle.cli.config;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import dev.heddle.agent.Agent;
import dev.heddle.agent.EndRules;
import dev.heddle.agent.Invocation;
import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.cli.config.Config.StoreConfig.Postgresql;
import dev.heddle.cli.config.Config.StoreConfig.Sqlite;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.command.CommandRuntime;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.WorkspaceSpec;
import dev.heddle.external.External;
import dev.heddle.external.ExternalSettings;
import dev.heddle.external.Recycling;
import dev.heddle.job.Affinity;
import dev.heddle.job.RetryPolicy;
import dev.heddle.pool.PoolSettings;
import dev.heddle.pool.Staging;
import dev.heddle.process.Confinement;
import dev.heddle.process.Headroom;
import dev.heddle.process.Isolation;
import dev.heddle.process.Sandbox;
import dev.heddle.template.Template;
import dev.heddle.worktree.WorktreePool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ConfigFileTest {

    @TempDir
    private Path directory;

    private Config read(String yaml, Map<String, String> environment) throws IOException {
        Path file = Files.writeString(directory.resolve("heddle.yaml"), yaml);
        return ConfigFile.read(file, directory.resolve(".heddle"), environment);
    }

    private Config read(String yaml) throws IOException {
        return read(yaml, Map.of());
    }

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
            assertThat(config.logLevel()).isEqualTo(Level.INFO);
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
                                Duration.ofSeconds(60))));
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
        assertThat(config.logLevel()).isEqualTo(Level.DEBUG);
    }

    @Test
    void readsCommandsAsTypes() throws Exception {
        CommandSpec lint = read("""
                types:
                  lint:
                    command: [ruff, check, --, "{{path}}"]
                    worktree: {repo: app, ref: "{{branch}}"}
                    build: [make, deps]
                    test: [make, check]
                    env: {CI: "1", TOKEN: "${TOKEN}"}
                    inherit: basic
                    allow: [NPM_TOKEN]
                    tools: [git, ruff]
                    artifacts: [build/**]
                    timeout: 10m
                    stallAfter: 1m
                    retries: 1
                    backoff: 2s
                    permanentExits: [7]
                  plain:
                    command: [ls]
                """, Map.of("TOKEN", "t0ken")).types().commands().getFirst();
        assertThat(lint.name()).isEqualTo("lint");
        assertThat(lint.steps()).extracting(CommandSpec.Step::name).containsExactly("build", "command", "test");
        assertThat(lint.steps().get(1).commandLine()).containsExactly("ruff", "check", "--", "{{path}}");
        assertThat(lint.workspace().location())
                .isEqualTo(new WorkspaceSpec.Location.Worktree(directory.resolve("app"), "{{branch}}"));
        assertThat(lint.workspace().environment()).isEqualTo(new WorkspaceSpec.Environment(
                WorkspaceSpec.Inherit.BASIC, Map.of("CI", "1", "TOKEN", "t0ken"), Set.of("NPM_TOKEN"),
                List.of("git", "ruff")));
        assertThat(lint.workspace().artifacts().globs()).containsExactly("build/**");
        assertThat(lint.type().timeout()).hasValue(Duration.ofMinutes(10));
        assertThat(lint.type().stallAfter()).hasValue(Duration.ofMinutes(1));
        assertThat(lint.type().retry())
                .hasValue(RetryPolicy.exponential(1, Duration.ofSeconds(2), Duration.ofMinutes(5)));
        assertThat(lint.permanentExits()).containsExactly(7);
        assertThat(read("types: {plain: {command: [ls]}}").types().commands().getFirst().workspace().location())
                .isEqualTo(new WorkspaceSpec.Location.Directory(directory));
    }

    @Test
    void readsAgentsAsTypes() throws Exception {
        Config config = read("""
                types:
                  review:
                    agent: claude
                    program: [python3, agent.py]
                    prompt: Review {{path}}.
                    model: sonnet
                    arguments: [--verbose]
                    maxTurns: 30
                    maxUsd: 1.50
                    hangAfter: 10s
                    stallAfter: 2m
                    onNodeDeath: kill
                    runAs: worker
                    isolation: sandbox
                    sandbox: {network: false, read: [~/.nvm], write: [cache], hide: [/srv/secrets]}
                    worktree: {repo: app}
                    env: {CI: "1"}
                    artifacts: [out/**]
                    timeout: 20m
                    retries: 0
                budgets:
                  pool: {usd/24h: 20}
                  type:review: {starts/min: 3}
                prices:
                  version: house
                  gpt-5: {input: 1, output: 2}
                """);
        Agent review = config.types().agents().getFirst();
        assertThat(review.call().program()).containsExactly("python3", "agent.py");
        assertThat(review.prompt()).isEqualTo(new Template("Review {{path}}."));
        assertThat(review.call().limits()).isEqualTo(new Invocation.Limits(30, new BigDecimal("1.50")));
        assertThat(review.endRules()).isEqualTo(new EndRules(Duration.ofSeconds(10), Duration.ofMinutes(2)));
        assertThat(review.onNodeDeath()).isEqualTo(Agent.OnNodeDeath.KILL);
        assertThat(review.workspace().location())
                .isEqualTo(new WorkspaceSpec.Location.Worktree(directory.resolve("app"), "HEAD"));
        assertThat(review.workspace().environment().allowed()).contains("ANTHROPIC_*");
        assertThat(review.workspace().confinement())
                .isEqualTo(new Confinement("worker", new Sandbox(false,
                        List.of(Path.of(System.getProperty("user.home"), ".nvm")), List.of(directory.resolve("cache")),
                        List.of(Path.of("/srv/secrets")))));
        assertThat(review.workspace().environment().inherit()).isEqualTo(WorkspaceSpec.Inherit.BASIC);
        assertThat(review.type().timeout()).hasValue(Duration.ofMinutes(20));
        assertThat(review.type().retry().orElseThrow().maxRetries()).isZero();
        assertThat(config.money().budgets()).containsExactly(
                new Budget(new Scope.Pool(), Measure.USD_24H, new BigDecimal(20)),
                new Budget(new Scope.Type("review"), Measure.STARTS_PER_MINUTE, new BigDecimal(3)));
        assertThat(config.money().prices().version()).isEqualTo("house");
        assertThat(read("types: {review: {agent: claude}}").types().agents().getFirst().prompt()).isNull();
    }

    @Test
    void documentsTheKeysOfAgents() throws Exception {
        Pattern row = Pattern.compile("\\| `(\\w+)` \\| [^|]* \\| [^|]* \\|");
        assertThat(Files.readAllLines(Path.of("../docs/reference/configuration.md")).stream()
                .dropWhile(line -> !line.startsWith("| key of an agent")).takeWhile(line -> !line.isBlank())
                .map(row::matcher).filter(Matcher::matches).map(match -> match.group(1))).containsExactlyElementsOf(
                        AgentTypeReader.KEYS.stream().takeWhile(key -> !key.equals("directory")).toList());
    }

    @Test
    void readsExternalWorkersAsTypes() throws Exception {
        External<JsonNode, JsonNode> embed = read("""
                types:
                  embed:
                    external: [python3, embed.py]
                    workers: 2
                    affinity: strict_fail
                    recycle: {jobs: 1000, age: 1d, idle: 1h, memory: 512MB}
                    health: {every: 10s, answer: 2s}
                    handshake: 1m
                    probeAfter: 1s
                    startUps: 1
                    directory: models
                    env: {MODEL: small}
                    allow: [HF_TOKEN]
                    timeout: 30s
                    stallAfter: 10s
                    retries: 1
                    backoff: 2s
                """).types().external().getFirst();
        assertThat(embed.type().name()).isEqualTo("embed");
        assertThat(embed.workers()).isEqualTo(2);
        assertThat(embed.settings()).isEqualTo(new ExternalSettings(List.of("python3", "embed.py"),
                directory.resolve("models"), Map.of("MODEL", "small"), Set.of("HF_TOKEN"),
                new ExternalSettings.Timing(Duration.ofMinutes(1), Duration.ofSeconds(10), Duration.ofSeconds(2),
                        Duration.ofSeconds(1), Duration.ofSeconds(1)),
                1, Recycling.never().afterJobs(1000).afterAge(Duration.ofDays(1)).afterIdle(Duration.ofHours(1))
                        .aboveMemory(512L << 20)));
        assertThat(embed.type().affinity()).hasValue(Affinity.STRICT_FAIL);
        assertThat(embed.type().timeout()).hasValue(Duration.ofSeconds(30));
        assertThat(embed.type().stallAfter()).hasValue(Duration.ofSeconds(10));
        assertThat(embed.type().retry())
                .hasValue(RetryPolicy.exponential(1, Duration.ofSeconds(2), Duration.ofMinutes(5)));

        External<JsonNode, JsonNode> plain = read("types: {plain: {external: [./worker], health: {every: 1m}}}").types()
                .external().getFirst();
        assertThat(plain.type().affinity()).hasValue(Affinity.STRICT_QUEUE);
        assertThat(plain.settings().directory()).isEqualTo(directory);
        assertThat(plain.settings().timing().healthAnswer()).isEqualTo(Duration.ofSeconds(5));
        assertThat(plain.settings().recycling()).isEqualTo(Recycling.never());
    }

    /** The documentation lists the keys of each kind of type, in the same order. */
    @Test
    void documentsTheKeysOfCommandsAndExternalTypes() throws Exception {
        assertThat(documented("| key of a command")).containsExactlyElementsOf(CommandTypeReader.KEYS);
        assertThat(documented("| key of an external type")).containsExactlyElementsOf(ExternalTypeReader.KEYS);
    }

    private static List<String> documented(String table) throws IOException {
        Pattern row = Pattern.compile("\\| `(\\w+)` \\| [^|]* \\| [^|]* \\|");
        return Files.readAllLines(Path.of("../docs/reference/configuration.md")).stream()
                .dropWhile(line -> !line.startsWith(table)).takeWhile(line -> line.startsWith("|")).map(row::matcher)
                .filter(Matcher::matches).map(match -> match.group(1)).toList();
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

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    wrokers: 4                        | 1 | unknown key 'wrokers'; did you mean 'workers'?
                    workers: 4\\nserver:\\n  prot: 1  | 3 | unknown key 'server.prot'; did you mean 'server.port'?
                    port: 1                           | 1 | unknown key 'port'; did you mean 'server.port'?
                    server: {xyz: 1}                  | 1 | unknown key 'server.xyz'; known keys: host, port, token, allowedHosts, allowRun, behindProxy, tls, maxConnections, maxConnectionsPerAddress, headerTimeout, bodyTimeout
                    abcdefgh: 1                       | 1 | unknown key 'abcdefgh'; known keys: store, workers, claimAhead, timeout, closeTimeout, pollEvery, claimErrors, recovery, retention, server, webhooks, process, worktree, log, types, budgets, prices
                    types: [a]                        | 1 | types must be a mapping
                    types: {greet: {}}                | 1 | types.greet has no command, agent or external; add one, such as command: [make, test], agent: claude, or external: [python3, worker.py]
                    types: {a: {agent: claud}}        | 1 | types.a.agent 'claud' is not an agent; did you mean 'claude'?
                    types: {a: {agent: text}}         | 1 | types.a has no program; add one, such as program: [my-agent, --quiet]
                    types: {a: {agent: claude, command: [ls]}} | 1 | types.a has both agent and command; keep one
                    budgets: {pool: {usd/24h: -1}}    | 1 | budgets.pool.usd/24h must not be negative: -1
                    budgets: {team: {usd/24h: 1}}     | 1 | budgets.team is invalid: …
                    prices: {gpt-5: {input: 1, output: 2}} | 1 | prices has no version; add one, such as version: house-2026-11, to record with each estimate
                    types: {echo: {command: [a]}}     | 1 | types.echo is a built-in type; choose another name
                    types: {run: {command: [a]}}      | 1 | types.run is a built-in type; choose another name
                    types: {a: {command: make test}}  | 1 | types.a.command must be a list, such as [make, test]
                    types: {a: {command: []}}         | 1 | types.a.command is invalid: …
                    types: {a: {command: ["{{x}}"]}}  | 1 | types.a.command is invalid: …
                    types:\\n  a:\\n    comand: [b] | 3 | unknown key 'types.a.comand'; did you mean 'types.a.command'?
                    types: {a: {command: [b], sandbox: {network: false}}} | 1 | types.a has a sandbox that is not used; add isolation: sandbox
                    types: {a: {command: [b], isolation: sandbx}} | 1 | types.a.isolation 'sandbx' is not an isolation of a type; did you mean 'sandbox'?
                    types: {a: {command: [b], isolation: sandbox, sandbox: {net: false}}} | 1 | unknown key 'types.a.sandbox.net'; known keys: network, read, write, hide
                    types: {a: {command: [b], x1: 1}} | 1 | unknown key 'types.a.x1'; known keys: command, build, test, directory, worktree, env, inherit, allow, tools, runAs, isolation, sandbox, spawns, artifacts, timeout, stallAfter, retries, backoff, permanentExits, onUnitComplete, onUnitFailed
                    types: {a: {command: [b], worktree: {rpo: .}}} | 1 | unknown key 'types.a.worktree.rpo'; did you mean 'types.a.worktree.repo'?
                    types: {a: {command: [b], worktree: {ref: x}}} | 1 | types.a.worktree has no repo; add one, such as repo: .
                    types: {a: {command: [b], worktree: {repo: .}, directory: c}} | 1 | types.a has both directory and worktree; keep one
                    types: {a: {command: [b], artifacts: [../c]}} | 1 | types.a.artifacts is invalid: …
                    types: {a: {command: [b], timeout: 5}} | 1 | types.a.timeout '5' has no unit; use 5s or 5m, for example
                    types: {a: {command: [b], retries: -1}} | 1 | types.a.retries must be at least 0: -1
                    types: {a: {command: [b], external: [c]}} | 1 | types.a has both command and external; keep one
                    types: {a: {external: [b], comand: [c]}} | 1 | unknown key 'types.a.comand'; known keys: external, workers, affinity, recycle, health, handshake, probeAfter, startUps, directory, env, allow, timeout, stallAfter, retries, backoff, onUnitComplete, onUnitFailed
                    types: {a: {external: python3 b}} | 1 | types.a.external must be a list, such as [python3, worker.py]
                    types: {a: {external: []}}        | 1 | types.a.external is invalid: the command is empty; give a program to run
                    types: {a: {external: [b], workers: 0}} | 1 | types.a.workers must be at least 1: 0
                    types: {a: {external: [b], affinity: strict}} | 1 | types.a.affinity 'strict' is not an affinity; use one of hint, strict_queue, strict_fail
                    types: {a: {external: [b], recycle: {job: 1}}} | 1 | unknown key 'types.a.recycle.job'; did you mean 'types.a.recycle.jobs'?
                    types: {a: {external: [b], recycle: {memory: 5}}} | 1 | types.a.recycle.memory '5' is not a size such as 512MB or 1GB
                    types: {a: {external: [b], recycle: {age: 0s}}} | 1 | types.a.recycle.age is invalid: age must be longer than zero: PT0S
                    types: {a: {external: [b], health: {every: 0s}}} | 1 | types.a.health is invalid: each interval and timeout of external workers must be longer than zero: PT0S
                    types: {default: {external: [b]}} | 1 | types.default.external is invalid: 'default' is the name of the default worker group; choose another name for the type
                    types: {a: {command: [b], command: [c]}} | 1 | duplicate key 'types.a.command'; keep one
                    process: {outputLimit: 5}         | 1 | process.outputLimit '5' is not a size such as 512MB or 1GB
                    worktree: {keep: maybe}           | 1 | worktree.keep 'maybe' is not a boolean; use one of true, false
                    process: {isolation: sesion}      | 1 | process.isolation 'sesion' is not an isolation level; did you mean 'session'?
                    process: {envPrefix: 1A}          | 1 | process.envPrefix is invalid: the prefix of environment variables must consist of letters, digits and _, and must not start with a digit: '1A'
                    workers: four                     | 1 | workers 'four' is not a whole number
                    workers: 1.5                      | 1 | workers '1.5' is not a whole number
                    workers: 0                        | 1 | workers must be at least 1: 0
                    workers: -3                       | 1 | workers must be at least 1: -3
                    workers: 99999999999              | 1 | workers must be from 1 to 2147483647: 99999999999
                    workers:                          | 1 | workers has no value; add one or delete the line
                    workers: [1, 2]                   | 1 | workers must be a single value, not a list
                    workers: {n: 1}                   | 1 | workers must be a single value, not a mapping
                    workers: 1\\nworkers: 2           | 2 | duplicate key 'workers'; keep one
                    server: 7420                      | 1 | server must be a mapping with keys such as 'host'
                    - a                               | 1 | the file must be a mapping with keys such as 'store'
                    timeout: 10 parsecs               | 1 | timeout '10 parsecs' has the unknown unit 'parsecs'; use one of ms, s, m, min, h, d
                    timeout: 10                       | 1 | timeout '10' has no unit; use 10s or 10m, for example
                    timeout: -1s                      | 1 | timeout '-1s' is negative; use zero or more
                    timeout: 0s                       | 1 | timeout must be longer than zero
                    timeout: soon                     | 1 | timeout 'soon' is not a duration; use a number and a unit, such as 90s, 10m or 7d
                    recovery: {atOnce: 0}             | 1 | recovery.atOnce must be at least 1: 0
                    claimErrors: {backoff: 0s}        | 1 | claimErrors.backoff must be longer than zero
                    server: {port: 70000}             | 1 | server.port must be from 0 to 65535: 70000
                    log: {level: inof}                | 1 | log.level 'inof' is not a level; did you mean 'info'?
                    server: {token: "${NOT_SET}"}     | 1 | server.token refers to the environment variable NOT_SET, which is not set
                    store: {sqlite: a, postgresql: {url: b}} | 1 | store.sqlite cannot be combined with store.postgresql; keep one
                    store: {postgresql: {user: a}}    | 1 | store.postgresql has no url; add one, such as jdbc:postgresql://host:5432/database
                    store: {postgresql: {url: "jdbc:postgresql:/localhost:99999/x"}} | 1 | store.postgresql.url is not a PostgreSQL URL such as jdbc:postgresql://host:5432/database
                    store: {postgresql: {url: "jdbc:postgresql://h/d",\\n schema: "a b;"}} | 2 | store.postgresql.schema 'a b;' is not a valid schema name; …
                    store: {postgresql: {url: mysql}} | 1 | store.postgresql.url is not a PostgreSQL URL such as jdbc:postgresql://host:5432/database
                    """)
    void rejectsInvalidContentWithTheLine(String yaml, int line, String what) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n"))).isInstanceOfSatisfying(CliException.class, e -> {
            assertThat(e.exit()).isEqualTo(ExitCode.USAGE);
            String message = directory.resolve("heddle.yaml") + ":" + line + ": " + what;
            // The rest is the message of another module.
            if (message.endsWith("…")) {
                assertThat(e).hasMessageStartingWith(message.replace("…", "")).message().hasLineCount(1);
            } else {
                assertThat(e).hasMessage(message);
            }
        });
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            a: b: c       | 1
            x: 1\\n\\tb: 2 | 2
            a: [1, 2      | 1
            "a            | 1
            """)
    void rejectsInvalidYaml(String yaml, int line) {
        assertThatThrownBy(() -> read(yaml.replace("\\n", "\n").replace("\\t", "\t")))
                .hasMessageMatching(Pattern.quote(directory + "/heddle.yaml:" + line) + ": not YAML: [^\\n]+");
    }

    @Test
    void namesAMissingFile() {
        Path missing = directory.resolve("none.yaml");
        assertThatThrownBy(() -> ConfigFile.read(missing, directory, Map.of()))
                .hasMessage(missing + " does not exist; check --config");
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

    @ParameterizedTest
    @ValueSource(strings = {"run", "run@host", "batch:x", "heddle-x", "hook:x", "build:onUnitFailed"})
    void hasNoTypesWithReservedNames(String type) {
        assertThatThrownBy(() -> read("types:\n  \"" + type + "\":\n    command: [make]\n"))
                .hasMessageContaining("choose another name");
    }
}
