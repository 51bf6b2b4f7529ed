package dev.heddle.cli.serve;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.OutputTap;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.config.Config.MoneyConfig;
import dev.heddle.cli.config.Config.ServerConfig;
import dev.heddle.cli.config.Types;
import dev.heddle.cli.home.Sighting;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Span;
import dev.heddle.cli.types.BuiltInTypes;
import dev.heddle.command.FreeCommand;
import dev.heddle.control.Control;
import dev.heddle.control.ControlJson;
import dev.heddle.control.JobDetail;
import dev.heddle.control.JobDraft;
import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.output.Artifacts;
import dev.heddle.run.Run;
import dev.heddle.worktree.WorktreeException;
import dev.heddle.worktree.Worktrees;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Runs a command line as a job. */
@Command(name = "run", description = {
    "Run a command line as a job, show what it prints, and exit as it does.",
    "The running node runs it; where there is none, this does. Ctrl-C cancels it."})
public final class RunCommand implements Callable<Integer> {

    private static final Duration AT_ONCE = Duration.ofMillis(200);

    private final Desk desk;

    @Option(names = "--worktree", paramLabel = "REPO", description = "Run it in a git worktree of this repository, of its own.") private @Nullable Path repository;

    @Option(names = "--ref", paramLabel = "REF", description = "What to check out there; default HEAD.") private @Nullable String ref;

    @Option(names = "--timeout", paramLabel = "SPAN", converter = Span.class, description = "End it after this time, such as 10m; exits with 124 then.") private @Nullable Duration timeout;

    @Option(names = "--artifact", paramLabel = "GLOB", description = "Copy these files out of its directory when it has ended; may be given more than once.") private List<String> artifacts = new ArrayList<>();

    @Option(names = "--env", paramLabel = "NAME=VALUE", description = "Set a variable for it; may be given more than once.") private Map<String, String> env = Map
            .of();

    @Parameters(arity = "1..*", paramLabel = "CMD", description = "The program and its arguments, best after --.") @SuppressWarnings("NullAway.Init") // set before call()
    private List<String> line;

    public RunCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() throws InterruptedException {
        check();
        Config config = desk.place().config();
        StopSignal stop = StopSignal.listen(() -> desk.screen().say("not waiting for its end"));
        if (Sighting.in(desk.place().home()) instanceof Sighting.Running) {
            try (Access.Found node = new Access(desk).open(Access.Intent.CHANGE)) {
                return follow(submit(node.control(), config), node.control(), stop);
            }
        }
        return alone(config, stop);
    }

    private void check() {
        try {
            Artifacts.of(artifacts);
        } catch (IllegalArgumentException e) {
            throw CliException.usage(String.valueOf(e.getMessage()));
        }
        if (ref != null && repository == null) {
            throw CliException.usage("--ref is for --worktree; give both, or neither");
        }
        if (repository != null) {
            try {
                if (Worktrees.hasUncommittedChanges(repository)) {
                    desk.screen().say(repository
                            + " has changes that are not committed; the command does not see them");
                }
            } catch (WorktreeException e) {
                throw CliException.usage(String.valueOf(e.getMessage()));
            }
        }
    }

    /** A node for this, and for whoever comes meanwhile. */
    private int alone(Config config, StopSignal stop) throws InterruptedException {
        ServerConfig server = config.server();
        Config quiet = new Config(config.store(), config.pool(),
                new ServerConfig("127.0.0.1", 0, null, List.of(), server.allowRun()), config.workshop(),
                Types.NONE, new MoneyConfig(config.money().prices(), List.of()), Level.WARN);
        try (Daemon daemon = Daemon.start(desk, quiet, Daemon.Duty.COMMAND_LINES);
                Control control = daemon.control()) {
            String id = submit(control, config);
            int exit = follow(id, control, stop);
            awaitOthers(id, daemon, stop);
            return exit;
        }
    }

    private void awaitOthers(String own, Daemon daemon, StopSignal stop) throws InterruptedException {
        boolean said = false;
        while (daemon.isBusyBesides(own) && !stop.isTold()) {
            if (!said) {
                desk.screen().say("waiting for other commands that run here; Ctrl-C stops them");
                said = true;
            }
            Thread.sleep(AT_ONCE);
        }
    }

    private String submit(Control control, Config config) {
        Path here = Path.of("").toAbsolutePath();
        var request = new FreeCommand(line, here.toString(),
                repository == null ? null : here.resolve(repository).normalize().toString(), ref, artifacts,
                env);
        JobDraft draft = JobDraft.of(config.ofThisMachine(BuiltInTypes.RUN),
                ControlJson.tree(ControlJson.write(request))).timeout(timeout);
        return control.submit(List.of(draft)).jobs().getFirst().id();
    }

    private int follow(String id, Control control, StopSignal stop) throws InterruptedException {
        OutputTap tap = new OutputTap(desk.screen(), null);
        boolean cancelled = false;
        while (!tap.pour(query -> control.output(id, query), AT_ONCE)) {
            if (stop.isTold() && !cancelled) {
                cancelled = true;
                desk.screen().say("cancelling; again to leave at once");
                control.cancel(id, "interrupted");
            }
        }
        JobDetail ended = control.await(id, Duration.ofSeconds(30));
        tell(ended);
        return cancelled ? Exit.INTERRUPTED.code() : exit(ended);
    }

    private void tell(JobDetail ended) {
        Failure failure = ended.failure();
        if (failure != null && failure.failedStep() == null) {
            desk.screen().say(failure.message());
        }
        for (Run run : ended.runs()) {
            if (run.work() != null) {
                desk.screen().say("what it changed is kept: git -C " + run.work().repository() + " diff "
                        + run.work().base() + " " + run.work().ref());
            }
            if (!run.artifacts().isEmpty()) {
                desk.screen().say(run.artifacts().size() + " artifacts in " + desk.place().home().directory()
                        .resolve("artifacts").resolve(ended.job().id())
                        .resolve(Integer.toString(run.attempt())));
            }
        }
    }

    /** As the command did, where it ended by itself. */
    private static int exit(JobDetail ended) {
        boolean timedOut = !ended.attempts().isEmpty()
                && ended.attempts().getLast().end() == Attempt.End.TIMED_OUT;
        Integer code = ended.runs().isEmpty() ? null : ended.runs().getLast().exitCode();
        return switch (ended.job().state()) {
            case COMPLETED -> Exit.OK.code();
            case CANCELLED -> Exit.TERMINATED.code();
            case FAILED ->
                timedOut ? Exit.TIMED_OUT.code() : code == null || code == 0 ? Exit.FAILED.code() : code;
            case QUEUED, SCHEDULED, PAUSED, ASSIGNED, RUNNING, WAITING -> Exit.FAILED.code();
        };
    }
}
