package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.OutputPrinter;
import dev.heddle.cli.access.PollingConnection;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.model.WorkerDetail;
import dev.heddle.worker.StateChange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Follows one worker: the output of its jobs and its state changes. */
@Command(name = "attach", description = {"Follow a worker: the output of its jobs and its state changes.",
    "Runs until the worker stops, or until Ctrl-C, which does not affect the worker."})
final class WorkerAttachCommand extends OutputCommand {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    @Mixin
    private final WorkerIdParameter id = new WorkerIdParameter();

    /** The time of the last state change that was printed; null before the first. */
    private @Nullable Instant printedUntil;
    private @Nullable String job;
    private @Nullable OutputPrinter printer;

    WorkerAttachCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() throws InterruptedException {
        // Later requests use the full id, so a prefix cannot come to mean another worker.
        String worker = id.get();
        try (PollingConnection connection = new PollingConnection(context())) {
            while (true) {
                String current = worker;
                WorkerDetail detail = connection.request(node -> node.control().worker(current));
                worker = detail.worker().id();
                printStateChanges(detail);
                printOutput(connection, detail.worker().job());
                if (!detail.worker().state().isLive()) {
                    return ExitCode.OK;
                }
                if (printer == null || printer.isIdle()) {
                    Thread.sleep(POLL_INTERVAL.dividedBy(5));
                }
            }
        }
    }

    private void printStateChanges(WorkerDetail worker) {
        Instant since = printedUntil;
        List<StateChange> changes = worker.history().reversed().stream()
                .filter(change -> since == null || change.at().isAfter(since)).toList();
        if (since == null) {
            output().info("worker " + worker.worker().id() + " is " + worker.worker().state());
        } else {
            changes.forEach(change -> output()
                    .info(change.at() + " " + change.from() + " to " + change.to() + " (" + change.reason() + ")"));
        }
        printedUntil = !changes.isEmpty() ? changes.getLast().at() : since == null ? Instant.EPOCH : since;
    }

    private void printOutput(PollingConnection connection, @Nullable String running) {
        if (running != null && !running.equals(job)) {
            job = running;
            printer = new OutputPrinter(output()::copy, null);
            output().info("job " + running);
        }
        String followed = job;
        OutputPrinter current = printer;
        if (followed != null && current != null && connection
                .request(node -> current.printNext(query -> node.control().output(followed, query), POLL_INTERVAL))) {
            printer = null;
        }
    }
}
