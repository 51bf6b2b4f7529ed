package dev.heddle.cli.verb;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Span;
import dev.heddle.cli.shell.Style;
import dev.heddle.external.ConformanceCheck;
import dev.heddle.external.ConformanceCheck.Finding;
import dev.heddle.process.LaunchException;
import dev.heddle.process.ProcessSettings;
import dev.heddle.process.Processes;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import tools.jackson.databind.JsonNode;

/** Tells the author of an external worker what is wrong with it. Needs no node and no store. */
@Command(name = "check", description = "Check that a command speaks the worker protocol, and say what it does wrong.")
final class WorkerCheck extends Verb {

    @Option(names = "--type", paramLabel = "TYPE", description = "The job type to try; else the first that the worker says it handles.") private @Nullable String type;

    @Option(names = "--payload", paramLabel = "JSON|@FILE|-", description = "What the job gets; else {}.") private String payload = "{}";

    @Option(names = "--patience", paramLabel = "SPAN", converter = Span.class, description = "How long it may take for an answer; default 10s.") private Duration patience = Duration
            .ofSeconds(10);

    @Parameters(paramLabel = "COMMAND", arity = "1..*", description = "The worker's command line, after --.") private List<String> command = List
            .of();

    WorkerCheck(Desk desk) {
        super(desk);
    }

    @Override
    Exit run() throws Exception {
        JsonNode json = new Payloads(desk().in()).one(payload);
        if (!patience.isPositive()) {
            throw CliException.usage("--patience must be longer than zero, such as 10s");
        }
        Path directory = Files.createTempDirectory("heddle-check");
        List<Finding> findings = new ArrayList<>();
        try (Processes processes = Processes.open(ProcessSettings.in(directory.resolve("processes")))) {
            boolean fine = new ConformanceCheck(processes, command, Path.of(""),
                    new ConformanceCheck.Work(type, json, patience)).run(findings::add);
            format().many(screen(), findings, all -> all.forEach(this::print));
            return fine ? Exit.OK : Exit.FAILED;
        } catch (LaunchException e) {
            throw new CliException(Exit.NOT_FOUND, String.valueOf(e.getMessage()), e);
        } finally {
            delete(directory);
        }
    }

    private void print(Finding finding) {
        Style style = switch (finding.level()) {
            case OK -> Style.GREEN;
            case HINT -> Style.YELLOW;
            case WRONG -> Style.RED;
        };
        screen().print(
                screen().styled(style, "%-5s".formatted(finding.level())) + "  " + finding.subject() + ": "
                        + finding.text());
    }

    private static void delete(Path directory) throws IOException {
        try (var files = Files.walk(directory)) {
            for (Path file : files.sorted((a, b) -> b.compareTo(a)).toList()) {
                Files.delete(file);
            }
        }
    }
}
