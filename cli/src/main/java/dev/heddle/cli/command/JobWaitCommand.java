package dev.heddle.cli.command;

import java.time.Duration;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.ExitCode;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Waits for jobs to end. */
@Command(name = "wait", description = {"Wait for jobs to end and print their results.",
    "Exits with 0 if all completed, 1 if one failed or was cancelled, 124 on timeout."})
final class JobWaitCommand extends OutputCommand {

    @Mixin
    private final JobIdsParameter ids = new JobIdsParameter();

    @Option(names = "--timeout", paramLabel = "DURATION", converter = DurationConverter.class,
            description = "Stop waiting after this time, such as 30s (default: no limit).")
    private @Nullable Duration timeout;

    JobWaitCommand(CliContext context) {
        super(context);
    }

    @Override
    ExitCode run() throws Exception {
        try (JobWaiter waiter = new JobWaiter(context(), format(), timeout)) {
            return waiter.await(ids.get());
        }
    }
}
