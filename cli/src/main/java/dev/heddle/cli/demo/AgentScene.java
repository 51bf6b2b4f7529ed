package dev.heddle.cli.demo;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.heddle.agent.AgentRuntime;
import dev.heddle.agent.BudgetGate;
import dev.heddle.cli.batch.BatchHandler;
import dev.heddle.cli.batch.UnitsFile;
import dev.heddle.cli.callback.Callbacks;
import dev.heddle.cli.shell.BatchProgress;
import dev.heddle.command.CommandRuntime;
import dev.heddle.control.Control;
import dev.heddle.control.local.BatchSpec;
import dev.heddle.control.local.LocalControl;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.control.model.BatchView;
import dev.heddle.control.model.UnitView;
import dev.heddle.conversation.Prices;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.pool.Pool;
import dev.heddle.pool.PoolBuilder;
import dev.heddle.process.Executables;
import dev.heddle.process.LaunchException;
import dev.heddle.sqlite.SqliteStore;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Twelve scripted agents work in worktrees. One fails, one does not exit, one stalls and is resumed. */
final class AgentScene implements Scene {

    private static final int UNITS = 12;
    private static final String NAME = "demo";
    private static final Duration TIMEOUT = Duration.ofMinutes(2);

    @Override
    public String title() {
        return "Agents: a batch of twelve in worktrees; one fails, one hangs, one stalls and is resumed";
    }

    @Override
    public List<Check> play(Stage stage) throws Exception {
        try {
            Executables.require(List.of("python3", "git"), System.getenv());
        } catch (LaunchException e) {
            stage.say("skipped: " + e.getMessage());
            return List.of();
        }
        Path directory = stage.directory().resolve("agents");
        prepare(directory);
        SqliteStore store = stage.store();
        try (CommandRuntime workshop = CommandRuntime.open(CommandRuntime.Settings.in(directory.resolve("home")),
                store); Callbacks callbacks = new Callbacks(store, workshop, false)) {
            InstantSource clock = InstantSource.system();
            AgentRuntime agents = new AgentRuntime(workshop,
                    new AgentRuntime.Services(new BudgetGate(store, clock), store, Prices.standard()), clock);
            BatchHandler batches = new BatchHandler(workshop, agents, store, directory, System.getenv(), callbacks);
            PoolBuilder builder = agents.attachTo(Pool.on(store).workers(5));
            batches.addTo(builder, ReservedNames.BATCH);
            try (Pool pool = builder.open()) {
                batches.open(pool, ReservedNames.BATCH);
                return play(stage, pool, directory);
            }
        }
    }

    private static List<Check> play(Stage stage, Pool pool, Path directory) throws Exception {
        JobType<BatchSpec, Object> type = JobType.of(ReservedNames.BATCH, BatchSpec.class, Object.class);
        JobId id = JobId.next();
        UnitsFile units = UnitsFile.write(directory, id, units());
        var handle = pool.submit(type
                .with(new BatchSpec(NAME, "batch:demo", """
                        name: demo
                        agent: claude
                        program: [python3, agent.py]
                        prompt: "{{topic}}"
                        units: all
                        workers: 4
                        worktree: {repo: app}
                        artifacts: ["*.txt"]
                        retries: 1
                        backoff: 100ms
                        hangAfter: 300ms
                        stallAfter: 5s
                        onNodeDeath: kill
                        env: {SCRIPT_WRITE: answer.txt}
                        """.replace("agent.py", directory.resolve("agent.py").toString()), directory.toString(),
                        "Write a line about {{topic}}.\nmode: {{mode}}\n", UNITS, units.path().toString(), 0))
                .id(id).subject(NAME).tags(BatchSpec.TAG));
        handle.awaitEnd(TIMEOUT);
        try (Control control = LocalControl.on(pool)) {
            BatchView batch = control.batch(NAME);
            for (UnitView unit : control.units(batch.id(), null, UNITS).units()) {
                String mode = unit.unit().get("mode").stringValue();
                if (!mode.equals("ok")) {
                    stage.say("agent in mode " + mode + ": " + unit.state() + " after " + unit.attempt()
                            + (unit.attempt() == 1 ? " attempt" : " attempts")
                            + (unit.error() == null ? "" : "; " + unit.error()));
                }
            }
            stage.say(BatchProgress.summary(batch));
            return List.of(
                    new Check("batch of twelve agents", "FAILED: 11 of 12 done, 1 failed, $1.30 (partly estimated)",
                            BatchProgress.summary(batch)),
                    new Check("artifacts copied from worktrees", "11", artifacts(control, batch)));
        }
    }

    private static String artifacts(Control control, BatchView batch) {
        return String.valueOf(control.units(batch.id(), null, UNITS).units().stream()
                .filter(unit -> unit.state() == JobState.COMPLETED)
                .filter(unit -> control.job(unit.id()).runs().stream().anyMatch(run -> !run.artifacts().isEmpty()))
                .count());
    }

    private static List<JsonNode> units() {
        List<JsonNode> units = new ArrayList<>();
        for (int i = 0; i < UNITS; i++) {
            String mode = switch (i) {
                case 3 -> "fail";
                case 5 -> "hang";
                case 7 -> "silent";
                default -> "ok";
            };
            units.add(JsonMapper.shared().createObjectNode().put("topic", "topic " + (i + 1)).put("mode", mode));
        }
        return units;
    }

    private static void prepare(Path directory) throws IOException, InterruptedException {
        Path app = Files.createDirectories(directory.resolve("app"));
        try (InputStream agent = Objects.requireNonNull(AgentScene.class.getResourceAsStream("agent.py"), "agent.py")) {
            Files.copy(agent, directory.resolve("agent.py"));
        }
        Files.writeString(app.resolve("README"), "Nothing yet.\n");
        git(app, "init", "-q");
        git(app, "add", "README");
        git(app, "-c", "user.name=Demo", "-c", "user.email=demo@example.org", "commit", "-q", "-m", "Begin");
    }

    private static void git(Path directory, String... arguments) throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of("git"));
        line.addAll(List.of(arguments));
        ProcessBuilder git = new ProcessBuilder(line).directory(directory.toFile()).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD);
        git.environment().putAll(Map.of("GIT_CONFIG_NOSYSTEM", "1"));
        if (git.start().waitFor() != 0) {
            throw new IOException("git " + String.join(" ", arguments) + " failed");
        }
    }
}
