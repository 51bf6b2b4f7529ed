package dev.heddle.cli.command;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.JobDiff;
import dev.heddle.control.model.JobDiff.FileChange;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Prints what an attempt changed in its worktree. */
@Command(name = "diff", description = {"Show what a job changed in its git worktree.",
    "The changes are read from its repository, compared with the commit that the job started from."},
        footerHeading = "%nExamples:%n",
        footer = {"  heddle job diff 0190 --stat", "  heddle job diff 0190 --attempt 2"})
final class JobDiffCommand extends ControlCommand {

    @Mixin
    private final JobIdParameter id = new JobIdParameter();

    @Option(names = "--stat", description = "List the changed files instead of their lines.")
    private boolean stat;

    @Option(names = "--attempt", paramLabel = "N", converter = PositiveIntConverter.class,
            description = "Attempt to show (default: the latest that changed something).")
    private @Nullable Integer attempt;

    JobDiffCommand(CliContext context) {
        super(context, Intent.READ);
    }

    @Override
    ExitCode execute(Control control) {
        format().one(output(), control.diff(id.get(), attempt), this::print);
        return ExitCode.OK;
    }

    private void print(JobDiff diff) {
        if (stat) {
            new Table<FileChange>().elastic("FILE", JobDiffCommand::path)
                    .column("CHANGE", file -> file.status().name().toLowerCase(Locale.ROOT).replace('_', ' '))
                    .number("ADDED", file -> file.binary() ? "binary" : String.valueOf(file.added()))
                    .number("REMOVED", file -> file.binary() ? "" : String.valueOf(file.removed()))
                    .print(output(), diff.changes());
        } else {
            diff.changes().forEach(file -> lines(file).forEach(output()::print));
        }
        output().info(diff.files() + (diff.files() == 1 ? " file" : " files") + " changed, " + diff.added()
                + " lines added, " + diff.removed() + " removed in attempt " + diff.attempt()
                + (diff.more() ? "; there are more files, see all with 'git -C " + diff.repository() + " diff "
                        + diff.base() + " " + diff.ref() + "'" : ""));
    }

    private static String path(FileChange file) {
        return file.oldPath() == null ? file.path() : file.oldPath() + " => " + file.path();
    }

    private static List<String> lines(FileChange file) {
        if (file.diff() == null) {
            return List
                    .of("# " + path(file) + ": " + (file.binary() ? "binary file" : "left out, the diff is too large"));
        }
        List<String> lines = file.diff().lines().toList();
        return file.cut() ? Stream.concat(lines.stream(),
                Stream.of("# " + path(file) + ": the rest is left out, the diff is too large")).toList()
                : lines;
    }
}
