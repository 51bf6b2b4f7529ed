package dev.heddle.cli.verb;

import java.time.Duration;
import java.util.List;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.access.Lasting;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Screen;
import dev.heddle.control.JobLog;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** How a job went, line by line. */
@Command(name = "logs", description = "Print how a job went, oldest first.")
final class JobLogs extends Verb {

    private static final Duration BETWEEN = Duration.ofMillis(500);

    @Parameters(paramLabel = "ID", description = "The job, by its id or the beginning of it.") @SuppressWarnings("NullAway.Init") // set before call()
    private String id;

    @Option(names = {"-f",
        "--follow"}, description = "Go on until the job has ended; Ctrl-C only stops the watching.") private boolean follow;

    JobLogs(Desk desk) {
        super(desk);
    }

    private record Look(boolean ended, List<JobLog.Line> lines) {}

    @Override
    Exit run() throws Exception {
        try (Lasting access = new Lasting(desk())) {
            int printed = 0;
            while (true) {
                // The state first: a line that comes after it is printed in the next round.
                Look look = access.ask(found -> new Look(found.control().job(id).job().state().isFinal(),
                        found.control().logs(id).lines()));
                print(look.lines.subList(Math.min(printed, look.lines.size()), look.lines.size()));
                printed = look.lines.size();
                if (look.ended || !follow) {
                    return Exit.OK;
                }
                Thread.sleep(BETWEEN);
            }
        }
    }

    private void print(List<JobLog.Line> lines) {
        format().many(screen(), lines, all -> all.forEach(line -> line.text().lines()
                .forEach(text -> screen().print(line.at() + " " + String.format("%-5s", line.level()) + " "
                        + (line.attempt() == 0 ? "" : "[" + line.attempt() + "] ")
                        + Screen.harmless(text)))));
    }
}
