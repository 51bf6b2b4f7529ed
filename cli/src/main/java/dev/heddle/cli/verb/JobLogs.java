package dev.heddle.cli.verb;

import java.time.Duration;
import java.util.List;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Lasting;
import dev.heddle.cli.access.OutputTap;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.control.JobLog;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How a job went, line by line. */
@Command(name = "logs", description = {"Print how a job went, oldest first, and what its command wrote.",
    "With --raw nothing but what it wrote, each stream to its own."})
final class JobLogs extends Verb {

    private static final Duration BETWEEN = Duration.ofMillis(500);

    @Parameters(paramLabel = "ID", description = "The job, by its id or the beginning of it.") @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    @Option(names = {"-f",
        "--follow"}, description = "Go on until the job has ended; Ctrl-C only stops the watching.") private boolean follow;

    @Option(names = "--raw", description = "Only what the command wrote, as it was written.") private boolean raw;

    @Option(names = "--attempt", paramLabel = "N", converter = AtLeastOne.class, description = "The output of this attempt; default the last one.") private @Nullable Integer attempt;

    JobLogs(Desk desk) {
        super(desk);
    }

    private record Look(boolean ended, List<JobLog.Line> lines) {}

    @Override
    Exit run() throws Exception {
        try (Lasting access = new Lasting(desk())) {
            OutputTap tap = new OutputTap(screen(), attempt);
            int printed = 0;
            while (true) {
                // The state first: what comes after it is printed in the next round.
                Look look = access.ask(found -> new Look(found.control().job(id).job().state().isFinal(),
                        found.control().logs(id).lines()));
                if (!raw) {
                    print(look.lines.subList(Math.min(printed, look.lines.size()), look.lines.size()));
                    printed = look.lines.size();
                }
                boolean poured = !showsOutput() || pour(access, tap);
                if (poured && (look.ended || !follow)) {
                    return Exit.OK;
                }
                Thread.sleep(tap.isDry() ? BETWEEN.dividedBy(5) : Duration.ZERO);
            }
        }
    }

    /** A script that reads JSON gets lines, and asks for the output by itself. */
    private boolean showsOutput() {
        return raw || format().isForPeople();
    }

    /** Whether all that there is was printed. */
    private boolean pour(Lasting access, OutputTap tap) {
        Duration wait = follow ? BETWEEN : Duration.ZERO;
        return access.ask(found -> tap.pour(query -> found.control().output(id, query),
                found.remote() ? wait : Duration.ZERO)) || (!follow && tap.isDry());
    }

    private void print(List<JobLog.Line> lines) {
        format().many(screen(), lines, all -> all.forEach(line -> line.text().lines()
                .forEach(text -> screen().print(line.at() + " " + String.format("%-5s", line.level()) + " "
                        + (line.attempt() == 0 ? "" : "[" + line.attempt() + "] ")
                        + Screen.harmless(text)))));
    }
}
