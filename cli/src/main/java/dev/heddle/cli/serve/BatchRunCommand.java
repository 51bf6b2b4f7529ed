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
import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.FileErrors;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.control.model.JobFilter;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a batch on the running node, or on a temporary one. */
@Command(name = "run", description = {"Run a batch, or resume it.",
    "Runs an agent or a command for each unit. Repeat the command to resume the batch.",
    "Uses the running node, or runs the batch in this process if there is none."}, footerHeading = "%nExamples:%n",
        footer = {
            "  heddle batch run batch.yaml --try 3",
            "  heddle batch run --name docs --units a.csv --agent claude --prompt 'Do {{task}}.'"})
public final class BatchRunCommand implements Callable<Integer> {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);
    private static final List<String> REQUIRED_WITHOUT_FILE = List.of("name", "units", "agent", "prompt");

    private final CliContext context;

    @Parameters(arity = "0..1", paramLabel = "FILE",
            description = "Batch file, such as batch.yaml. Without it, options define the batch.")
    private @Nullable Path file;

    @Option(names = "--name", paramLabel = "NAME", description = "Batch name.")
    private @Nullable String name;

    @Option(names = "--units", paramLabel = "FILE|GLOB",
            description = "Units: lines of a .jsonl file, rows of a .csv file, or files that match a glob.")
    private @Nullable String units;

    @Option(names = "--agent", paramLabel = "AGENT", description = "Agent: claude, codex, gemini or text.")
    private @Nullable String agent;

    @Option(names = "--prompt", paramLabel = "TEXT",
            description = "Prompt for each unit; {{field}} inserts a field of the unit.")
    private @Nullable String prompt;

    @Option(names = "--program", paramLabel = "WORD", arity = "1",
            description = "Program to run instead of the agent's own; repeat for its arguments.")
    private List<String> program = new ArrayList<>();

    @Option(names = "--workers", paramLabel = "N", description = "Units to run at the same time (default: 4).")
    private @Nullable Integer workers;

    @Option(names = "--retries", paramLabel = "N", description = "Retries of a failed unit.")
    private @Nullable Integer retries;

    @Option(names = "--budget", paramLabel = "USD", description = "Maximum cost of the whole batch.")
    private @Nullable BigDecimal budget;

    @Option(names = "--worktree", paramLabel = "REPO",
            description = "Run each unit in its own git worktree of this repository.")
    private @Nullable Path worktree;

    @Option(names = "--try", paramLabel = "N",
            description = "Run the first N units, then wait for 'heddle batch approve'.")
    private @Nullable Integer tryFirst;

    @Option(names = "--new", description = "Run all units, even those already done.")
    private boolean runAll;

    @Option(names = "--detach", description = "Return without waiting for the end. Requires a running node.")
    private boolean detach;

    /** Creates the command. */
    public BatchRunCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        validate();
        Path here = Path.of("").toAbsolutePath();
        String definition = definition();
        Path directory = file == null ? here
                : Objects.requireNonNullElse(here.resolve(file).normalize().getParent(), here);
        BatchFile batch = BatchFile.read(file == null ? BatchFile.COMMAND_LINE : file, definition, directory,
                context.options().environment());
        BatchPlan plan = plan(batch);
        new BatchPreflight(context).check(batch);
        Config config = context.options().config();
        String type = config.localType(ReservedNames.BATCH);
        BatchRun.Options options = new BatchRun.Options(tryFirst == null ? 0 : tryFirst, runAll, detach, false);
        StopSignal stop = StopSignal.listen(() -> context.output().info("forced stop"));
        if (NodeStatus.of(context.options().home()) instanceof NodeStatus.Running) {
            try (Connector.Connection node = new Connector(context).open(Connector.Intent.WRITE)) {
                return new BatchRun(context, node, batch, plan, definition).run(type, options, stop).code();
            }
        }
        if (detach) {
            throw CliException.usage("--detach requires a running node; start one with 'heddle serve'");
        }
        boolean unfinished;
        try (Connector.Connection store = new Connector(context).open(Connector.Intent.READ)) {
            unfinished = new BatchRun(context, store, batch, plan, definition).isUnfinished();
        }
        try (Daemon daemon = Daemon.start(context, temporaryNode(config, batch), Daemon.Role.COMMANDS_ONLY);
                Connector.Connection node = new Connector.Connection(daemon.control(), false)) {
            ExitCode exit = new BatchRun(context, node, batch, plan, definition).run(type, options.resumed(unfinished),
                    stop);
            awaitCallbacks(node.control(), BatchRun.unitType(plan), batch, stop);
            return exit.code();
        }
    }

    /** Checks the options. Values in the file are checked when it is read. */
    private void validate() {
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
            throw CliException.usage("--budget must not be negative: " + budget);
        }
    }

    /** Waits for callbacks that are due, because they would not run after this temporary node ends. */
    private static void awaitCallbacks(Control control, String unitType, BatchFile batch, StopSignal stop)
            throws InterruptedException {
        for (String event : batch.callbacks().keySet()) {
            JobFilter waiting = JobFilter.ALL.type(unitType + ":" + event).limit(1).states(JobState.QUEUED,
                    JobState.ASSIGNED, JobState.RUNNING);
            do {
                Thread.sleep(POLL_INTERVAL);
            } while (!stop.isRequested() && !control.jobs(waiting).jobs().isEmpty());
        }
    }

    /** Returns the batch file, or its equivalent built from the options. JSON is valid YAML. */
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
            List<String> missing = REQUIRED_WITHOUT_FILE.stream().filter(key -> !options.containsKey(key))
                    .map(key -> "--" + key).toList();
            if (!missing.isEmpty()) {
                throw CliException.usage("missing " + String.join(", ", missing) + "; give them or a FILE");
            }
            return ControlJson.write(options);
        }
        if (!options.isEmpty()) {
            throw CliException.usage(
                    "--" + options.keySet().iterator().next() + " cannot be used with a FILE; set it in the file");
        }
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw FileErrors.reading(file, e);
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
            ExitCode exit = e.getCause() instanceof NoSuchFileException ? ExitCode.NOT_FOUND : ExitCode.USAGE;
            throw new CliException(exit, String.valueOf(e.getMessage()), e);
        }
    }

    /** Returns the configuration of a temporary node: one worker per concurrent unit, plus one for the batch itself. */
    private static Config temporaryNode(Config config, BatchFile batch) {
        return config.temporary(config.pool().withWorkers(batch.workers() + 1), config.money());
    }
}
