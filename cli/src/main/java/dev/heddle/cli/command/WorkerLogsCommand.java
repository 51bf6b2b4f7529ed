package dev.heddle.cli.command;

import java.time.Duration;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.PollingConnection;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.model.LogChunk;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the log of a worker. */
@Command(name = "logs",
        description = "Print a worker's log, with its older files. The log survives restarts of the node.")
final class WorkerLogsCommand extends OutputCommand {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    @Mixin
    private final WorkerIdParameter id = new WorkerIdParameter();

    @Option(names = {"-f", "--follow"}, description = "Keep printing until Ctrl-C.")
    private boolean follow;

    WorkerLogsCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() {
        try (PollingConnection connection = new PollingConnection(context())) {
            long next = 0;
            while (true) {
                long offset = next;
                LogChunk piece = connection.request(
                        node -> node.control().workerLog(id.get(), offset, follow ? POLL_INTERVAL : Duration.ZERO));
                output().copy(piece.bytes(), false);
                next = piece.next();
                if (!follow && piece.next() == piece.offset()) {
                    return ExitCode.OK;
                }
            }
        }
    }
}
