package dev.heddle.cli.serve;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;

import dev.heddle.batch.BatchException;
import dev.heddle.batch.BatchPlan;
import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.config.Types;
import dev.heddle.cli.home.Sighting;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.FileTrouble;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.JobFilter;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a batch. */
@Command(name = "run", description = {
    "Run a batch: an agent or a command over many units of work. The same command again goes on where it stopped.",
    "The running node runs it; where there is none, this does, until it is done or Ctrl-C."})
public final class BatchRunCommand implements Callable<Integer> {

    private static final Duration BETWEEN = Duration.ofMillis(500);
    private static final List<String> WITHOUT_A_FILE = List.of("name", "units", "agent", "prompt");

    private final Desk desk;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The batch, such as batch.yaml; without it the options say it all.") private @Nullable Path file;

    @Option(names = "--name", paramLabel = "NAME", description = "What it is called.") private @Nullable String name;

    @Option(names = "--units", paramLabel = "FILE|GLOB", description = "One unit each: lines of a .jsonl, rows of a .csv, files by a glob.") private @Nullable String units;

    @Option(names = "--agent", paramLabel = "AGENT", description = "claude, codex, gemini or text.") private @Nullable String agent;

    @Option(names = "--prompt", paramLabel = "TEXT", description = "What each unit is asked, with {{field}} for its fields.") private @Nullable String prompt;

    @Option(names = "--program", paramLabel = "WORD", arity = "1", description = "Call this instead of the agent's own program; may be given more than once.") private List<String> program = new ArrayList<>();

    @Option(names = "--workers", paramLabel = "N", description = "How many units at once; default 4.") private @Nullable Integer workers;

    @Option(names = "--retries", paramLabel = "N", description = "How often a unit that failed is tried again.") private @Nullable Integer retries;

    @Option(names = "--budget", paramLabel = "USD", description = "The most that all of it may cost.") private @Nullable BigDecimal budget;

    @Option(names = "--worktree", paramLabel = "REPO", description = "A git worktree of this repository for each unit.") private @Nullable Path worktree;

    @Option(names = "--try", paramLabel = "N", description = "Run only the first units, and wait for 'batch approve'.") private @Nullable Integer tryFirst;

    @Option(names = "--new", description = "Run all units anew, whatever was done before.") private boolean anew;

    @Option(names = "--detach", description = "Do not wait for its end; needs a running node.") private boolean detach;

    public BatchRunCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() throws InterruptedException {
        check();
        Path here = Path.of("").toAbsolutePath();
        String definition = definition();
        Path directory = file == null ? here
                : Objects.requireNonNullElse(here.resolve(file).normalize().getParent(), here);
        BatchFile batch = BatchFile.read(file == null ? BatchFile.COMMAND_LINE : file, definition, directory,
                desk.place().environment());
        BatchPlan plan = plan(batch);
        new BatchNeeds(desk).check(batch);
        Config config = desk.place().config();
        String type = config.ofThisMachine(BuiltInTypes.BATCH);
        BatchRun.Wish wish = new BatchRun.Wish(tryFirst == null ? 0 : tryFirst, anew, detach, false);
        StopSignal stop = StopSignal.listen(() -> desk.screen().say("stopped at once"));
        if (Sighting.in(desk.place().home()) instanceof Sighting.Running) {
            try (Access.Found node = new Access(desk).open(Access.Intent.CHANGE)) {
                return new BatchRun(desk, node, batch, plan, definition).run(type, wish, stop).code();
            }
        }
        if (detach) {
            throw CliException.usage("--detach needs a running node; start one with 'heddle serve'");
        }
        boolean goesOn;
        try (Access.Found store = new Access(desk).open(Access.Intent.LOOK)) {
            goesOn = new BatchRun(desk, store, batch, plan, definition).isAtWork();
        }
        try (Daemon daemon = Daemon.start(desk, alone(config, batch), Daemon.Duty.COMMAND_LINES);
                Access.Found node = new Access.Found(daemon.control(), false)) {
            Exit exit = new BatchRun(desk, node, batch, plan, definition).run(type, wish.goingOn(goesOn),
                    stop);
            awaitCallbacks(node.control(), BatchRun.unitType(plan), batch, stop);
            return exit.code();
        }
    }

    /** What the options say by themselves; a file says it with its line. */
    private void check() {
        if (tryFirst != null && tryFirst < 1) {
            throw CliException.usage("--try must be at least 1: " + tryFirst);
        }
        if (workers != null && workers < 1) {
            throw CliException.usage("--workers must be at least 1: " + workers);
        }
        if (retries != null && retries < 0) {
            throw CliException.usage("--retries must be at least 0: " + retries);
        }
        if (budget != null && budget.signum() < 0) {
            throw CliException.usage("--budget must not be below zero: " + budget);
        }
    }

    /** Whoever is to be told of the units is told before the node that does it ends, where that is possible. */
    private static void awaitCallbacks(Control control, String unitType, BatchFile batch, StopSignal stop)
            throws InterruptedException {
        for (String event : batch.callbacks().keySet()) {
            JobFilter waiting = JobFilter.ALL.type(unitType + ":" + event).limit(1).states(JobState.QUEUED,
                    JobState.ASSIGNED, JobState.RUNNING);
            do {
                Thread.sleep(BETWEEN);
            } while (!stop.isTold() && !control.jobs(waiting).jobs().isEmpty());
        }
    }

    /** As a file would say it: JSON is YAML, too. */
    private String definition() {
        Map<String, Object> options = new LinkedHashMap<>();
        put(options, "name", name);
        put(options, "units", units);
        put(options, "agent", agent);
        put(options, "prompt", prompt);
        put(options, "program", program.isEmpty() ? null : program);
        put(options, "workers", workers);
        put(options, "retries", retries);
        put(options, "budget", budget);
        put(options, "worktree", worktree == null ? null : Map.of("repo", worktree.toString()));
        if (file == null) {
            List<String> missing = WITHOUT_A_FILE.stream().filter(key -> !options.containsKey(key))
                    .map(key -> "--" + key).toList();
            if (!missing.isEmpty()) {
                throw CliException.usage("give a FILE, or --name, --units, --agent and --prompt; missing: "
                        + String.join(", ", missing));
            }
            return ControlJson.write(options);
        }
        if (!options.isEmpty()) {
            throw CliException.usage(
                    "--" + options.keySet().iterator().next() + " stands in the file; give one of them");
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw FileTrouble.reading(file, e);
        }
    }

    private static void put(Map<String, Object> options, String key, @Nullable Object value) {
        if (value != null) {
            options.put(key, value);
        }
    }

    private static BatchPlan plan(BatchFile batch) {
        try {
            return batch.plan();
        } catch (BatchException e) {
            Exit exit = e.getCause() instanceof NoSuchFileException ? Exit.NOT_FOUND : Exit.USAGE;
            throw new CliException(exit, String.valueOf(e.getMessage()), e);
        }
    }

    /** A node for this, with a worker for each unit that may run at once and one for the batch itself. */
    private static Config alone(Config config, BatchFile batch) {
        ServerConfig server = config.server();
        Config quiet = config.with(config.pool().withWorkers(batch.workers() + 1))
                .with(new ServerConfig("127.0.0.1", 0, null, List.of(), server.allowRun()));
        return new Config(quiet.store(), quiet.pool(), quiet.server(), quiet.workshop(), Types.NONE,
                quiet.money(),
                Level.WARN);
    }
}
