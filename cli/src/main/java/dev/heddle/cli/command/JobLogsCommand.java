package dev.heddle.cli.command;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.OutputPrinter;
import dev.heddle.cli.access.PollingConnection;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.JobLogQuery;
import dev.heddle.log.LogStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints the log of a job: what its handler logged and its processes wrote, and what happened to it. */
@Command(name = "logs", description = {"Print the log of a job: what its handler logged, what its command or agent"
        + " wrote, and what happened to it, for all attempts on all nodes.",
    "--raw prints only the output of its processes, from their node: stdout to stdout, stderr to stderr. Without --raw,"
            + " a terminal shows control characters as question marks."})
final class JobLogsCommand extends OutputCommand {

    private static final Duration POLL_INTERVAL = Duration.ofMillis(500);

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    @Option(names = {"-f", "--follow"},
            description = "Keep printing until the job ends, also if it moves to another node. Ctrl-C does not affect"
                    + " the job.")
    private boolean follow;

    @Option(names = "--raw", description = "Print only the output of processes, unchanged even on a terminal.")
    private boolean raw;

    @Option(names = "--attempt", paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Only this attempt. With --raw, the default is the latest.")
    private @Nullable Integer attempt;

    @Option(names = "--stream", paramLabel = "STREAM", split = ",", converter = LogStreamConverter.class,
            description = "Only these streams: log, stdout, stderr, event.")
    private @Nullable List<LogStream> streams;

    @Option(names = "--level", paramLabel = "LEVEL", converter = LogLevelConverter.class,
            description = "Only lines of this level and higher ones: trace, debug, info, warn, error.")
    private @Nullable Level level;

    @Option(names = "--text", paramLabel = "TEXT", description = "Only lines that contain this text.")
    private @Nullable String text;

    JobLogsCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() throws Exception {
        try (PollingConnection connection = new PollingConnection(context())) {
            return raw ? printOutput(connection) : printLog(connection);
        }
    }

    private ExitCode printLog(PollingConnection connection) throws InterruptedException {
        List<JobLog.Line> document = new ArrayList<>();
        JobLogQuery query = new JobLogQuery(attempt, streams == null ? null : Set.copyOf(streams),
                level, text, null, null, POLL_INTERVAL);
        while (true) {
            JobLogQuery next = query;
            // Without a node, nothing comes while this waits.
            JobLog page = connection.request(
                    node -> node.control().logs(id.get(), node.remote() ? next : next.timeout(Duration.ZERO)));
            if (format().isDocument()) {
                document.addAll(page.lines());
            } else {
                print(page.lines());
            }
            if (page.ended() || (!page.more() && !follow && !hasJustEnded(connection))) {
                if (format().isDocument()) {
                    print(document);
                }
                return ExitCode.OK;
            }
            query = query.after(page.next());
            if (page.lines().isEmpty()) {
                Thread.sleep(POLL_INTERVAL.dividedBy(5));
            }
        }
    }

    /** The last lines of a job that has ended are stored a moment later. */
    private boolean hasJustEnded(PollingConnection connection) {
        return connection.request(node -> node.control().job(id.get())).job().state().isFinal();
    }

    private void print(List<JobLog.Line> lines) {
        format().many(output(), lines, all -> all.forEach(this::print));
    }

    /** The text is that of others: a pipe gets it as it is. */
    private void print(JobLog.Line line) {
        String prefix = line.at() + " " + String.format("%-6s", label(line)) + " "
                + (line.attempt() == 0 ? "" : "[" + line.attempt() + "] ");
        for (String one : line.text().split("\n", -1)) {
            output().copy((prefix + one + "\n").getBytes(StandardCharsets.UTF_8), false);
        }
    }

    private static String label(JobLog.Line line) {
        return switch (line.stream()) {
            case LOG, EVENT -> line.level();
            case STDOUT -> "stdout";
            case STDERR -> "stderr";
        };
    }

    private ExitCode printOutput(PollingConnection connection) throws InterruptedException {
        OutputPrinter printer = new OutputPrinter(output()::copyRaw, attempt);
        Duration wait = follow ? POLL_INTERVAL : Duration.ZERO;
        while (true) {
            // Read the state first, so output written after it is printed in the next round.
            boolean ended = connection.request(node -> node.control().job(id.get()).job().state().isFinal());
            boolean complete = connection.request(
                    node -> printer.printNext(query -> node.control().output(id.get(), query),
                            node.remote() ? wait : Duration.ZERO))
                    || (!follow && printer.isIdle());
            if (complete && (ended || !follow)) {
                return ExitCode.OK;
            }
            Thread.sleep(printer.isIdle() ? POLL_INTERVAL.dividedBy(5) : Duration.ZERO);
        }
    }
}
