package dev.heddle.cli.serve;

import java.util.concurrent.Callable;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector;
import dev.heddle.cli.config.Config;
import dev.heddle.cli.home.NodeStatus;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Adds a worker to the running node, or starts a node. */
@Command(name = "start", description = {"Add a worker to the running node and print its id.",
    "If no node is running, start one in the foreground, like 'heddle serve'."})
public final class WorkerStartCommand implements Callable<Integer> {

    private final CliContext context;

    @Option(names = "--keep-worktrees",
            description = "Keep the worktree of every job. Applies only if this command starts a node.")
    private boolean keepWorktrees;

    /** Creates the command. */
    public WorkerStartCommand(CliContext context) {
        this.context = context;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (!(NodeStatus.of(context.options().home()) instanceof NodeStatus.Running)) {
            Config config = context.options().nodeConfig();
            return ServeCommand.serve(context, keepWorktrees ? Daemon.keepingWorktrees(config) : config);
        }
        if (keepWorktrees) {
            throw CliException.usage("--keep-worktrees has no effect on a running node;"
                    + " restart the node with it, or set worktree.keep");
        }
        try (Connector.Connection node = new Connector(context).open(Connector.Intent.READ)) {
            context.output().print(node.control().startWorker().id());
            return ExitCode.OK.code();
        }
    }
}
