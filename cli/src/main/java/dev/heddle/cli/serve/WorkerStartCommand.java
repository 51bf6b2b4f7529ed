package dev.heddle.cli.serve;

import java.util.concurrent.Callable;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.home.Sighting;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** One worker more. */
@Command(name = "start", description = {
    "Start one worker more on the running node, and print its id.",
    "Where none is running, start a node in the foreground, as 'heddle serve' does."})
public final class WorkerStartCommand implements Callable<Integer> {

    private final Desk desk;

    @Option(names = "--keep-worktrees", description = "Leave the worktree of every job as the job left it; only where a node is started.") private boolean keepWorktrees;

    public WorkerStartCommand(Desk desk) {
        this.desk = desk;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (!(Sighting.in(desk.place().home()) instanceof Sighting.Running)) {
            Config config = desk.place().config();
            return ServeCommand.serve(desk, keepWorktrees ? Daemon.keepingWorktrees(config) : config);
        }
        if (keepWorktrees) {
            throw CliException
                    .usage("a node is running, and worktrees are kept by a whole node or not at all;"
                            + " start that one with --keep-worktrees, or set worktree.keep");
        }
        try (Access.Found node = new Access(desk).open(Access.Intent.LOOK)) {
            desk.screen().print(node.control().startWorker().id());
            return Exit.OK.code();
        }
    }
}
