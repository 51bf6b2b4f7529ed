package dev.heddle.cli.command;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.external.ConformanceCheck;
import dev.heddle.external.ConformanceCheck.Finding;
import dev.heddle.process.LaunchException;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import dev.heddle.process.files.ScratchDirectory;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Checks an external worker against the protocol. Needs no node and no store. */
@Command(name = "check", description = "Check that a program implements the worker protocol.",
        footerHeading = "%nExample:%n", footer = "  heddle worker check -- python3 worker.py")
final class WorkerCheckCommand extends OutputCommand {

    @Option(names = "--type", paramLabel = "TYPE",
            description = "Job type to run (default: the first type the worker announces).")
    private @Nullable String type;

    @Option(names = "--payload", paramLabel = "JSON|@FILE|-",
            description = "Job payload: JSON, a file or standard input (default: {}).")
    private String payload = "{}";

    @Option(names = "--patience", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "Time to wait for each response (default: 10s).")
    private Duration patience = Duration
            .ofSeconds(10);

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "Command line of the worker, after --.")
    private List<String> command = List
            .of();

    WorkerCheckCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() throws Exception {
        JsonNode json = new PayloadReader(context().in()).one(payload);
        if (!patience.isPositive()) {
            throw CliException.usage("--patience must be longer than zero");
        }
        List<Finding> findings = new ArrayList<>();
        try (ScratchDirectory scratch = ScratchDirectory.createInTemp();
                Processes processes = Processes.open(ProcessSettings.in(scratch.path().resolve("processes")))) {
            boolean fine = new ConformanceCheck(processes, command, Path.of(""),
                    new ConformanceCheck.Work(type, json, patience)).run(findings::add);
            format().many(output(), findings, all -> all.forEach(this::print));
            return fine ? ExitCode.OK : ExitCode.FAILED;
        } catch (LaunchException e) {
            throw new CliException(ExitCode.NOT_FOUND, String.valueOf(e.getMessage()), e);
        }
    }

    private void print(Finding finding) {
        Style style = switch (finding.level()) {
            case OK -> Style.GREEN;
            case HINT -> Style.YELLOW;
            case WRONG -> Style.RED;
        };
        output().print(output().styled(style, "%-5s".formatted(finding.level())) + "  " + finding.subject() + ": "
                + finding.text());
    }
}
