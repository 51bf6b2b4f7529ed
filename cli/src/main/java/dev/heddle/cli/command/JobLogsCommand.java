package dev.heddle.cli.command;

import java.time.Duration;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.OutputPrinter;
import dev.heddle.cli.access.PollingConnection;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.model.JobLog;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the events of a job and the output of its command. */
@Command(name = "logs", description = {"Print the events of a job and the output of its command.",
    "--raw prints only the output: stdout to stdout, stderr to stderr. Without --raw, a terminal shows control"
            + " characters of the output as question marks."})
final class JobLogsCommand extends OutputCommand {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    @Option(names = {"-f", "--follow"},
            description = "Keep printing until the job ends. Ctrl-C does not affect the job.")
    private boolean follow;

    @Option(names = "--raw", description = "Print only the output of the command, unchanged even on a terminal.")
    private boolean raw;

    @Option(names = "--attempt", paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Attempt whose output to print (default: the latest).")
    private @Nullable Integer attempt;

    JobLogsCommand(CliContext context) {
        super(context);
    }

    private record Snapshot(boolean ended, List<JobLog.Line> lines) {}

    @Override
    ExitCode run() throws Exception {
        try (PollingConnection connection = new PollingConnection(context())) {
            OutputPrinter printer = new OutputPrinter(raw ? output()::copyRaw : output()::copy, attempt);
            int printed = 0;
            while (true) {
                // Read the state first, so lines written after it are printed in the next round.
                Snapshot job = connection
                        .request(node -> new Snapshot(node.control().job(id.get()).job().state().isFinal(),
                                node.control().logs(id.get()).lines()));
                if (!raw) {
                    print(job.lines.subList(Math.min(printed, job.lines.size()), job.lines.size()));
                    printed = job.lines.size();
                }
                boolean complete = !showsOutput() || printOutput(connection, printer);
                if (complete && (job.ended || !follow)) {
                    return ExitCode.OK;
                }
                Thread.sleep(printer.isIdle() ? POLL_INTERVAL.dividedBy(5) : Duration.ZERO);
            }
        }
    }

    /** JSON output has the events only, so scripts can parse it. */
    private boolean showsOutput() {
        return raw || format().isTable();
    }

    /** Returns whether everything available was printed. */
    private boolean printOutput(PollingConnection connection, OutputPrinter printer) {
        Duration wait = follow ? POLL_INTERVAL : Duration.ZERO;
        return connection.request(node -> printer.printNext(query -> node.control().output(id.get(), query),
                node.remote() ? wait : Duration.ZERO)) || (!follow && printer.isIdle());
    }

    private void print(List<JobLog.Line> lines) {
        format().many(output(), lines,
                all -> all.forEach(line -> line.text().lines()
                        .forEach(text -> output().print(line.at() + " " + String.format("%-5s", line.level()) + " "
                                + (line.attempt() == 0 ? "" : "[" + line.attempt() + "] ")
                                + text))));
    }
}
