package dev.heddle.cli.command;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.model.JobDraft;
import dev.heddle.control.model.ProgressBody;
import dev.heddle.control.remote.RemoteJobControl;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands that the process of a job calls on behalf of its job. */
final class OwnJobCommands {

    private OwnJobCommands() {}

    private static RemoteJobControl control(CliContext context) {
        return RemoteJobControl.of(context.options().environment());
    }

    @Command(name = "progress", description = {"Report the progress of the job that this process belongs to.",
        "Works only in commands and agents that a node has started."}, footerHeading = "%nExamples:%n",
            footer = "  heddle job progress 3 10 -m 'page 3'")
    static final class Progress extends OutputCommand {
        @Parameters(index = "0", paramLabel = "DONE", description = "How much is done.")
        private long current;

        @Parameters(index = "1", paramLabel = "TOTAL", arity = "0..1", description = "How much there is to do.")
        private @Nullable Long total;

        @Option(names = {"-m", "--message"}, paramLabel = "TEXT", description = "Short text for people.")
        private @Nullable String message;

        Progress(CliContext context) {
            super(context);
        }

        @Override
        ExitCode run() {
            ProgressBody reported = control(context()).progress(new ProgressBody(current, total, message));
            format().one(output(), reported, _ -> {});
            return ExitCode.OK;
        }
    }

    @Command(name = "spawn", description = {"Submit a child of the job that this process belongs to, and print its id.",
        "Works only in commands and agents that a node has started, for types that their own type lists in 'spawns'."},
            footerHeading = "%nExamples:%n", footer = "  heddle job spawn resize -p '{\"file\": \"a.png\"}'")
    static final class Spawn extends OutputCommand {
        @Parameters(paramLabel = "TYPE", description = "Job type.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String type;

        @Option(names = {"-p", "--payload"}, paramLabel = "JSON|@FILE|-",
                description = "Job payload: JSON, a file or standard input (default: {}).")
        private @Nullable String payload;

        @Mixin
        private final DedupeOptions dedupe = new DedupeOptions();

        Spawn(CliContext context) {
            super(context);
        }

        @Override
        ExitCode run() throws Exception {
            dedupe.validate(false);
            var json = payload == null ? null : new PayloadReader(context().in()).one(payload);
            var spawned = control(context()).spawn(dedupe.apply(JobDraft.of(type, json)));
            format().one(output(), spawned, child -> output().print(child.id()));
            return ExitCode.OK;
        }
    }
}
