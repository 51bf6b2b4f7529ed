package dev.heddle.cli.serve;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;

import dev.heddle.agent.Agent;
import dev.heddle.batch.BatchException;
import dev.heddle.batch.BatchPlan;
import dev.heddle.batch.Unit;
import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.config.BatchFile;
import dev.heddle.cli.config.BatchFile.Work;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.config.Types;
import dev.heddle.cli.home.Sighting;
import dev.heddle.cli.shell.BatchLine;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.command.Command.Step;
import dev.heddle.control.BatchOrder;
import dev.heddle.control.BatchView;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.JobDraft;
import dev.heddle.control.JobFilter;
import dev.heddle.control.UnitPage;
import dev.heddle.control.UnitView;
import dev.heddle.job.JobState;
import dev.heddle.process.LaunchException;
import dev.heddle.process.Tools;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Runs a batch. */
@Command(name = "run", description = {
    "Run a batch: an agent or a command over many units of work. The same command again goes on where it stopped.",
    "The running node runs it; where there is none, this does, until it is done or Ctrl-C."})
public final class BatchRunCommand implements Callable<Integer> {

    private static final Duration BETWEEN = Duration.ofMillis(500);

    private final Desk desk;

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The batch, such as batch.yaml; without it the options say it all.") private @Nullable Path file;

    @Option(names = "--name", paramLabel = "NAME", description = "What it is called.") private @Nullable String name;

    @Option(names = "--units", paramLabel = "FILE|GLOB", description = "One unit each: lines of a .jsonl, rows of a .csv, files by a glob.") private @Nullable String units;

    @Option(names = "--agent", paramLabel = "AGENT", description = "claude, codex, gemini or text.") private @Nullable String agent;

    @Option(names = "--prompt", paramLabel = "TEXT", description = "What each unit is asked, with {{field}} for its fields.") private @Nullable String prompt;

    @Option(names = "--program", paramLabel = "WORD", arity = "1", description = "Call this instead of the agent's own program; may be given more than once.") private List<String> program = new ArrayList<>();

    @Option(names = "--workers", paramLabel = "N", description = "How many units at once; default 4.") private @Nullable Integer workers;

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
        if (tryFirst != null && tryFirst < 1) {
            throw CliException.usage("--try must be at least 1: " + tryFirst);
        }
        Path here = Path.of("").toAbsolutePath();
        String definition = definition();
        Path directory = file == null ? here
                : Objects.requireNonNullElse(here.resolve(file).normalize().getParent(), here);
        BatchFile batch = BatchFile.read(file == null ? Path.of("batch") : file, definition, directory,
                desk.place().environment());
        BatchPlan plan = plan(batch);
        require(batch);
        Config config = desk.place().config();
        StopSignal stop = StopSignal
                .listen(() -> desk.screen().say("stopped at once; agents go on by themselves"));
        if (Sighting.in(desk.place().home()) instanceof Sighting.Running) {
            try (Access.Found node = new Access(desk).open(Access.Intent.CHANGE)) {
                return run(node.control(), config.ofThisMachine(BuiltInTypes.BATCH), batch, plan, definition,
                        stop, true);
            }
        }
        if (detach) {
            throw CliException.usage("--detach needs a running node; start one with 'heddle serve'");
        }
        try (Daemon daemon = Daemon.start(desk, alone(config, batch), Daemon.Duty.COMMAND_LINES);
                Control control = daemon.control()) {
            int exit = run(control, config.ofThisMachine(BuiltInTypes.BATCH), batch, plan, definition, stop,
                    false);
            awaitCallbacks(control, "batch:" + plan.id(), batch, stop);
            return exit;
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
        put(options, "budget", budget);
        put(options, "worktree", worktree == null ? null : Map.of("repo", worktree.toString()));
        if (file == null) {
            if (options.isEmpty()) {
                throw CliException.usage("give a FILE, or at least --name, --units, --agent and --prompt");
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
            throw new CliException(Exit.USAGE, "cannot read " + file + ": " + e, e);
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
            throw new CliException(Exit.USAGE, String.valueOf(e.getMessage()), e);
        }
    }

    /** What is not there is said before anything starts. */
    private void require(BatchFile batch) {
        try {
            switch (batch.work()) {
                case Work.ByAgent(Agent by) -> Tools.require(List.of(by.call().program().getFirst()),
                        desk.place().environment());
                case Work.ByCommand(dev.heddle.command.Command by) -> {
                    for (Step step : by.steps()) {
                        Tools.require(List.of(step.line().getFirst()), desk.place().environment());
                    }
                }
            }
        } catch (LaunchException e) {
            throw new CliException(Exit.NOT_FOUND, String.valueOf(e.getMessage()), e);
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

    private int run(Control control, String type, BatchFile batch, BatchPlan plan, String definition,
            StopSignal stop,
            boolean goesOn) throws InterruptedException {
        String unitType = "batch:" + plan.id();
        BatchView view = live(control, plan.name(), unitType);
        if (view == null) {
            Set<String> done = anew ? Set.of() : done(control, plan.name(), unitType);
            List<JsonNode> rest = plan.units().stream().filter(unit -> !done.contains(unit.id()))
                    .map(Unit::payload)
                    .toList();
            if (!done.isEmpty()) {
                desk.screen().say(done.size() + " of " + plan.units().size() + " units are done already"
                        + (rest.isEmpty() ? "; --new runs them again" : ""));
            }
            if (rest.isEmpty()) {
                return Exit.OK.code();
            }
            view = submit(control, type,
                    new BatchOrder(plan.name(), unitType, definition, batch.directory().toString(),
                            batch.prompt(), rest,
                            tryFirst == null ? 0 : Math.min(tryFirst, rest.size())));
        }
        desk.screen().print(view.id());
        return detach ? Exit.OK.code() : watch(control, view, stop, goesOn);
    }

    /** The batch that is at work already; null where none is. */
    private @Nullable BatchView live(Control control, String called, String unitType) {
        for (BatchView other : control.batches()) {
            if (!other.name().equals(called)) {
                continue;
            }
            boolean same = other.type().equals(unitType);
            if (!same && !anew) {
                throw CliException.usage("batch '" + called + "' was run with another template (" + other.id()
                        + "); --new runs this one");
            }
            if (same && !other.state().isFinal()) {
                if (anew) {
                    throw new CliException(Exit.FAILED,
                            "batch '" + called + "' is at work as job " + other.id()
                                    + "; 'heddle job cancel " + other.id() + "' ends it");
                }
                desk.screen().say("goes on: " + other.ended() + " of " + other.units() + " units are done");
                return other;
            }
        }
        return null;
    }

    /** The units that earlier runs of the same batch have completed. */
    private static Set<String> done(Control control, String called, String unitType) {
        Set<String> done = new HashSet<>();
        for (BatchView earlier : control.batches()) {
            if (earlier.name().equals(called) && earlier.type().equals(unitType)) {
                String cursor = null;
                do {
                    UnitPage page = control.units(earlier.id(), cursor, Control.MOST_LISTED);
                    page.units().stream().filter(unit -> unit.state() == JobState.COMPLETED)
                            .map(UnitView::unit).forEach(unit -> done.add(new Unit("", unit).id()));
                    cursor = page.next();
                } while (cursor != null);
            }
        }
        return done;
    }

    private static BatchView submit(Control control, String type, BatchOrder order) {
        JobDraft draft = new JobDraft(type, ControlJson.tree(ControlJson.write(order)), null, null, null,
                null, null, 0,
                null, null, null, order.name(), Set.of(BatchOrder.TAG), order.type());
        return control.batch(control.submit(List.of(draft)).jobs().getFirst().id());
    }

    private int watch(Control control, BatchView begun, StopSignal stop, boolean goesOn)
            throws InterruptedException {
        BatchView view = begun;
        try (BatchLine line = new BatchLine(desk.screen(), desk.clock())) {
            while (!view.state().isFinal() && !stop.isTold() && !isTried(view)) {
                Thread.sleep(BETWEEN);
                view = control.batch(begun.id());
                line.show(view);
            }
        }
        desk.screen().say(BatchLine.summary(view));
        if (isTried(view)) {
            desk.screen().say("the rest waits: 'heddle batch approve " + view.id() + "' lets it run");
            return Exit.OK.code();
        }
        if (!view.state().isFinal()) {
            desk.screen()
                    .say(goesOn
                            ? "the node goes on with it; 'heddle batch show " + view.id()
                                    + "' says how far it is"
                            : "agents that run go on by themselves; the same command goes on with the batch");
            return Exit.INTERRUPTED.code();
        }
        return view.in(JobState.COMPLETED) == view.units() ? Exit.OK.code() : Exit.FAILED.code();
    }

    /** Whether the first units have ended, and the rest waits for somebody. */
    private static boolean isTried(BatchView view) {
        return view.waits() && view.ended() > 0
                && view.in(JobState.RUNNING) + view.in(JobState.ASSIGNED) + view.in(JobState.SCHEDULED) == 0;
    }
}
