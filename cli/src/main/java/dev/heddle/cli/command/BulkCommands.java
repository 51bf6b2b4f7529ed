package dev.heddle.cli.command;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.BulkAction;
import dev.heddle.control.model.BulkDraft;
import dev.heddle.control.model.BulkView;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The commands of {@code heddle bulk}. */
final class BulkCommands {

    private static final Duration POLL = Duration.ofMillis(500);

    private BulkCommands() {}

    private static String count(BulkView bulk) {
        return (bulk.estimated() ? "about " : "") + String.format(Locale.ROOT, "%,d", bulk.total())
                + (bulk.total() == 1 ? " job" : " jobs");
    }

    private static String progress(BulkView bulk) {
        return String.format(Locale.ROOT, "%,d done, %,d failed, %,d skipped", bulk.done(), bulk.failed(),
                bulk.skipped());
    }

    /** A command that changes the jobs of a query. */
    abstract static class Start extends ControlCommand {

        @Mixin
        private final QueryParameter query = new QueryParameter();

        @Option(names = "--dry-run", description = "Only count the jobs that match.")
        private boolean dryRun;

        @Option(names = {"-y", "--yes"}, description = "Do not ask for confirmation.")
        private boolean yes;

        @Option(names = "--wait", description = "Wait until all jobs are changed.")
        private boolean wait;

        private final BulkAction action;

        Start(CliContext context, BulkAction action) {
            super(context, Intent.WRITE);
            this.action = action;
        }

        @Nullable String reason() {
            return null;
        }

        @Nullable Integer priority() {
            return null;
        }

        @Nullable String queue() {
            return null;
        }

        @Override
        void validate() {
            query.get();
        }

        @Override
        final ExitCode execute(Control control) throws InterruptedException, IOException {
            String q = query.get(control);
            if (q == null) {
                throw CliException.usage("which jobs? Give a query, such as 'state:failed type:mail'");
            }
            BulkView found = control.previewBulk(draft(q));
            if (dryRun || found.total() == 0) {
                format().one(output(), found, bulk -> output().print(count(bulk) + " match"));
                return ExitCode.OK;
            }
            if (!yes && !confirmed(found)) {
                output().info("nothing changed");
                return ExitCode.FAILED;
            }
            BulkView started = control.startBulk(draft(q));
            if (!isNodeRunning()) {
                output().info("No node is running: start one with 'heddle serve' to carry this out.");
            }
            if (!wait) {
                format().one(output(), started, bulk -> output().print(
                        bulk.id() + " started on " + count(bulk) + "; 'heddle bulk show' shows how far it is"));
                return ExitCode.OK;
            }
            BulkView ended = await(control, started);
            format().one(output(), ended, bulk -> output().print(bulk.id() + " " + bulk.state() + ": "
                    + progress(bulk)));
            return ended.state() == JobState.COMPLETED ? ExitCode.OK : ExitCode.FAILED;
        }

        private BulkDraft draft(String q) {
            return new BulkDraft(action, q, null, reason(), priority(), queue());
        }

        private boolean confirmed(BulkView found) throws IOException {
            if (!output().terminal().err()) {
                throw CliException.usage(count(found) + " match; add --yes to change them, or --dry-run to count only");
            }
            output().info(action.name().toLowerCase(Locale.ROOT) + " " + count(found) + "? [y/N]");
            String answer = new BufferedReader(new InputStreamReader(context().in(), StandardCharsets.UTF_8))
                    .readLine();
            return answer != null && answer.strip().toLowerCase(Locale.ROOT).startsWith("y");
        }

        private BulkView await(Control control, BulkView started) throws InterruptedException {
            String id = String.valueOf(started.id());
            try (ProgressLine line = new ProgressLine(output())) {
                while (true) {
                    control.await(id, POLL);
                    BulkView bulk = control.bulk(id);
                    if (bulk.state() == null || bulk.state().isFinal()) {
                        return bulk;
                    }
                    line.show(bulk.done() + bulk.failed() + bulk.skipped(), bulk.total(), progress(bulk));
                }
            }
        }
    }

    @Command(name = "retry", description = "Queue the dead letters that match again.")
    static final class Retry extends Start {
        Retry(CliContext context) {
            super(context, BulkAction.RETRY);
        }
    }

    @Command(name = "cancel", description = "Cancel the jobs that match, with their children.",
            footerHeading = "%nExample:%n", footer = "  heddle bulk cancel 'state:queued type:mail created:<2h' --wait")
    static final class Cancel extends Start {
        @Option(names = "--reason", paramLabel = "TEXT", description = "Reason to record in the history of the jobs.")
        private @Nullable String reason;

        Cancel(CliContext context) {
            super(context, BulkAction.CANCEL);
        }

        @Override
        @Nullable String reason() {
            return reason;
        }
    }

    @Command(name = "pause", description = "Pause the waiting jobs that match.")
    static final class Pause extends Start {
        @Option(names = "--reason", paramLabel = "TEXT", description = "Reason to record in the history of the jobs.")
        private @Nullable String reason;

        Pause(CliContext context) {
            super(context, BulkAction.PAUSE);
        }

        @Override
        @Nullable String reason() {
            return reason;
        }
    }

    @Command(name = "resume", description = "Resume the paused jobs that match.")
    static final class Resume extends Start {
        Resume(CliContext context) {
            super(context, BulkAction.RESUME);
        }
    }

    @Command(name = "reprioritize", description = "Give the waiting jobs that match another priority.")
    static final class Reprioritize extends Start {
        @Option(names = "--priority", paramLabel = "N", required = true,
                description = "The priority; larger values run first.")
        private int priority;

        Reprioritize(CliContext context) {
            super(context, BulkAction.REPRIORITIZE);
        }

        @Override
        Integer priority() {
            return priority;
        }
    }

    @Command(name = "move", description = "Move the waiting jobs that match to another queue.")
    static final class Move extends Start {
        @Option(names = "--to", paramLabel = "QUEUE", required = true, description = "The queue.")
        private String queue = "";

        Move(CliContext context) {
            super(context, BulkAction.MOVE);
        }

        @Override
        String queue() {
            return queue;
        }
    }

    @Command(name = "delete", description = {"Delete the jobs that match and everything stored for them.",
        "Jobs that a node is running are left alone."})
    static final class Delete extends Start {
        Delete(CliContext context) {
            super(context, BulkAction.DELETE);
        }
    }

    @Command(name = "list", description = "List the last bulk operations, newest first.")
    static final class ListAll extends ControlCommand {
        ListAll(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().many(output(), control.bulks(),
                    bulks -> new Table<BulkView>().column("ID", bulk -> String.valueOf(bulk.id()))
                            .column("ACTION", bulk -> bulk.action().name().toLowerCase(Locale.ROOT))
                            .column("STATE", bulk -> String.valueOf(bulk.state())).elastic("QUERY", BulkView::q)
                            .number("DONE", bulk -> String.valueOf(bulk.done()))
                            .number("OF", bulk -> String.valueOf(bulk.total()))
                            .column("STARTED", bulk -> Durations.relative(bulk.createdAt(), now()))
                            .print(output(), bulks));
            return ExitCode.OK;
        }
    }

    @Command(name = "show", description = "Show a bulk operation and how far it is.")
    static final class Show extends ControlCommand {
        @Mixin
        private final JobIdParameter id = new JobIdParameter();

        Show(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.bulk(id.get()), bulk -> {
                output().print(bulk.id() + " " + bulk.action().name().toLowerCase(Locale.ROOT) + " " + bulk.q());
                output().print(bulk.state() + ": " + progress(bulk) + ", of " + count(bulk) + "; started by "
                        + bulk.actor() + " " + Durations.relative(bulk.createdAt(), now()));
                if (bulk.failure() != null) {
                    output().print(bulk.failure());
                }
            });
            return ExitCode.OK;
        }
    }

    @Command(name = "stop", description = "Stop a bulk operation. What it has done stays.")
    static final class Stop extends ControlCommand {
        @Mixin
        private final JobIdParameter id = new JobIdParameter();

        Stop(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.cancelBulk(id.get()),
                    bulk -> output().print(bulk.id() + " " + bulk.state() + ": " + progress(bulk)));
            return ExitCode.OK;
        }
    }
}
