package dev.heddle.cli.config;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.agent.Agent;
import dev.heddle.agent.EndRules;
import dev.heddle.agent.Invocation;
import dev.heddle.budget.Budget;
import dev.heddle.budget.Measure;
import dev.heddle.budget.Scope;
import dev.heddle.command.CommandSpec;
import dev.heddle.command.WorkspaceSpec;
import dev.heddle.external.External;
import dev.heddle.external.ExternalSettings;
import dev.heddle.external.Recycling;
import dev.heddle.job.Affinity;
import dev.heddle.job.RetryPolicy;
import dev.heddle.process.Confinement;
import dev.heddle.process.Sandbox;
import dev.heddle.template.Template;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Types of jobs in the configuration file: commands, agents and external workers. */
class TypeConfigTest extends ConfigFixture {

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

    @ParameterizedTest
    @ValueSource(strings = {"run", "run@host", "batch:x", "heddle-x", "hook:x", "build:onUnitFailed"})
    void hasNoTypesWithReservedNames(String type) {
        assertThatThrownBy(() -> read("types:\n  \"" + type + "\":\n    command: [make]\n"))
                .hasMessageContaining("choose another name");
    }
}
