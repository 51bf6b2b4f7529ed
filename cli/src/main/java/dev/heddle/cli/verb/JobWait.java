package dev.heddle.cli.verb;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Span;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Waits for jobs. */
@Command(name = "wait", description = {"Wait until jobs have ended and print their results.",
    "Exits with 0 where all completed, 1 where one failed or was cancelled, 124 where the time was over before."})
final class JobWait extends Verb {

    @Parameters(paramLabel = "ID", arity = "1..*", description = "The jobs, by their ids or the beginnings of them.") private List<String> ids = List
            .of();

    @Option(names = "--timeout", paramLabel = "SPAN", converter = Span.class, description = "How long to wait at most, such as 30s; default for ever.") private @Nullable Duration timeout;

    JobWait(Desk desk) {
        super(desk);
    }

    @Override
    Exit run() throws Exception {
        try (Waiting waiting = new Waiting(desk(), Optional.ofNullable(timeout))) {
            return new Outcomes(desk(), format()).await(ids, waiting);
        }
    }
}
