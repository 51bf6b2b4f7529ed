package dev.heddle.cli.serve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.access.OutputPrinter;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.MoneyConfig;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.command.AdHocCommand;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.local.ReservedNames;
import dev.heddle.control.model.JobDetail;
import dev.heddle.control.model.JobDraft;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.output.Artifacts;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a program as a job. */
@Command(name = "run", description = {"Run a program as a job and exit with its code.",
    "Prints the output of the program. Ctrl-C cancels the job.",
    "Uses the running node, or runs the job in this process if there is none."}, footerHeading = "%nExamples:%n",
        footer = {
            "  heddle run -- make test", "  heddle run --timeout 10m --worktree . --artifact 'build/**' -- make all"})
public final class RunCommand implements Callable<Integer> {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(200);

    private final CliContext context;

    @Option(names = "--worktree", paramLabel = "REPO", description = "Run in a new git worktree of this repository.")
    private @Nullable Path repository;

    @Option(names = "--ref", paramLabel = "REF", description = "Commit to check out in the worktree (default: HEAD).")
    private @Nullable String ref;

    @Option(names = "--timeout", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "Time limit, such as 10m. Exits with 124 if exceeded.")
    private @Nullable Duration timeout;

    @Option(names = "--artifact", paramLabel = "GLOB", description = "Keep files that match this pattern; repeatable.")
    private List<String> artifacts = new ArrayList<>();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Set an environment variable; repeatable.")
    private Map<String, String> env = Map
            .of();

    @Parameters(arity = "1..*", paramLabel = "CMD", description = "Program and its arguments, after --.")
    @SuppressWarnings("NullAway.Init") // set before call()
    private List<String> line;

    /** Creates the command. */
    public RunCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        validate();
        Config config = context.options().config();
        StopSignal stop = StopSignal.listen(() -> context.output().info("forced stop"));
        if (NodeStatus.of(context.options().home()) instanceof NodeStatus.Running) {
            try (Connector.Connection node = new Connector(context).open(Connector.Intent.WRITE)) {
                return follow(submit(node.control(), config), node.control(), stop);
            }
        }
        return runLocally(config, stop);
    }

    private void validate() {
        try {
            Artifacts.of(artifacts);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
        if (ref != null && repository == null) {
            throw CliException.usage("--ref requires --worktree");
        }
        if (repository != null) {
            new RepositoryCheck(context).check(repository);
        }
    }

    /** Runs the job on a temporary node, which other commands can use meanwhile. */
    private int runLocally(Config config, StopSignal stop) throws InterruptedException {
        Config temporary = config.temporary(config.pool(), new MoneyConfig(config.money().prices(), List.of()));
        try (Daemon daemon = Daemon.start(context, temporary, Daemon.Role.COMMANDS_ONLY);
                Control control = daemon.control()) {
            String id = submit(control, config);
            int exit = follow(id, control, stop);
            awaitOthers(id, daemon, stop);
            return exit;
        }
    }

    private void awaitOthers(String own, Daemon daemon, StopSignal stop) throws InterruptedException {
        boolean announced = false;
        while (daemon.hasOtherJobs(own) && !stop.isRequested()) {
            if (!announced) {
                context.output().info("waiting for other jobs on this node; press Ctrl-C to stop them");
                announced = true;
            }
            Thread.sleep(POLL_INTERVAL);
        }
    }

    private String submit(Control control, Config config) {
        Path here = Path.of("").toAbsolutePath();
        var request = new AdHocCommand(line, here.toString(),
                repository == null ? null : here.resolve(repository).normalize().toString(), ref, artifacts, env,
                config.workshop().environment().inherit(context.options().environment()));
        JobDraft draft = JobDraft.of(config.localType(ReservedNames.RUN), ControlJson.tree(ControlJson.write(request)))
                .timeout(timeout);
        return control.submit(List.of(draft)).jobs().getFirst().id();
    }

    private int follow(String id, Control control, StopSignal stop) throws InterruptedException {
        context.output().info("job " + id);
        OutputPrinter printer = new OutputPrinter(context.output()::copy, null);
        boolean cancelled = false;
        while (!printer.printNext(query -> control.output(id, query), POLL_INTERVAL)) {
            if (stop.isRequested() && !cancelled) {
                cancelled = true;
                context.output().info("cancelling; press Ctrl-C again to force");
                control.cancel(id, "interrupted");
            }
        }
        JobDetail ended = control.await(id, Duration.ofSeconds(30));
        report(ended);
        return cancelled ? ExitCode.INTERRUPTED.code() : exit(ended);
    }

    private void report(JobDetail ended) {
        Failure failure = ended.failure();
        if (failure != null && failure.failedStep() == null) {
            context.output().info(failure.message());
        }
        for (Run run : ended.runs()) {
            if (run.work() != null) {
                context.output().info("changes saved; show them with: git -C " + run.work().repository() + " diff "
                        + run.work().base() + " " + run.work().ref());
            }
            if (!run.artifacts().isEmpty()) {
                context.output()
                        .info(run.artifacts().size()
                                + (run.artifacts().size() == 1 ? " artifact in " : " artifacts in ")
                                + context.options().home().directory().resolve("artifacts").resolve(ended.job().id())
                                        .resolve(Integer.toString(run.attempt())));
            }
        }
    }

    /** Returns the exit code of the program, or a code of Heddle's if it did not end by itself. */
    private static int exit(JobDetail ended) {
        boolean timedOut = !ended.attempts().isEmpty() && ended.attempts().getLast().end() == Attempt.End.TIMED_OUT;
        Integer code = ended.runs().isEmpty() ? null : ended.runs().getLast().exitCode();
        return switch (ended.job().state()) {
            case COMPLETED -> ExitCode.OK.code();
            case CANCELLED -> ExitCode.TERMINATED.code();
            case FAILED ->
                timedOut ? ExitCode.TIMED_OUT.code() : code == null || code == 0 ? ExitCode.FAILED.code() : code;
            case QUEUED, SCHEDULED, PAUSED, ASSIGNED, RUNNING, WAITING -> ExitCode.FAILED.code();
        };
    }
}
