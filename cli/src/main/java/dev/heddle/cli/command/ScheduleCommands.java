package dev.heddle.cli.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.BackfillDraft;
import dev.heddle.control.model.BackfillResult;
import dev.heddle.control.model.JobView;
import dev.heddle.control.model.SchedulePage;
import dev.heddle.control.model.ScheduleView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle schedule}, except {@code create}. */
final class ScheduleCommands {

    private static final int PAGE = 1_000;

    private ScheduleCommands() {}

    static String describe(ScheduleView schedule, Instant now) {
        return schedule.name() + " " + schedule.state() + (schedule.nextAt() == null ? ""
                : ", next run " + Durations.relative(schedule.nextAt(), now) + " (" + schedule.nextAt() + ")");
    }

    static Style style(ScheduleView schedule) {
        return switch (schedule.state()) {
            case ACTIVE -> Style.GREEN;
            case PAUSED -> Style.YELLOW;
            case ENDED -> Style.PLAIN;
        };
    }

    /** A command on one schedule. */
    abstract static class OnSchedule extends ControlCommand {

        @Parameters(index = "0", paramLabel = "NAME", description = "Schedule name.")
        @SuppressWarnings("NullAway.Init") // set before call()
        String name;

        OnSchedule(CliContext context, Intent intent) {
            super(context, intent);
        }

        final ExitCode print(ScheduleView schedule) {
            format().one(output(), schedule, view -> output().print(describe(view, now())));
            return ExitCode.OK;
        }
    }

    @Command(name = "list", description = "List schedules with their next runs.")
    static final class ListAll extends ListCommand<ScheduleView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<ScheduleView> fetch(Control control) {
            List<ScheduleView> all = new ArrayList<>();
            @Nullable String cursor = null;
            do {
                SchedulePage page = control.schedules(cursor, PAGE);
                all.addAll(page.schedules());
                cursor = page.next();
            } while (cursor != null);
            return all;
        }

        @Override
        String id(ScheduleView schedule) {
            return schedule.name();
        }

        @Override
        void print(List<ScheduleView> schedules, ShownIds ids) {
            Instant now = now();
            print(new Table<ScheduleView>().elastic("NAME", ScheduleView::name)
                    .elastic("TYPE", schedule -> schedule.job().type()).elastic("RULE", ScheduleView::rule)
                    .elastic("ZONE", ScheduleView::zone)
                    .column("STATE", schedule -> schedule.state().name(), ScheduleCommands::style)
                    .column("NEXT",
                            schedule -> schedule.nextAt() == null ? "" : Durations.relative(schedule.nextAt(), now))
                    .number("RUNS", schedule -> String.valueOf(schedule.fired()))
                    .column("NOTE", ListAll::note), schedules);
        }

        private static String note(ScheduleView schedule) {
            return schedule.editedBy() != null && schedule.code() ? "edited" : schedule.gone() ? "gone from code" : "";
        }
    }

    @Command(name = "show", description = "Show a schedule with its next times and its last runs.")
    static final class Show extends OnSchedule {
        Show(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.schedule(name),
                    detail -> new ScheduleDetailPrinter(output(), now()).print(detail));
            return ExitCode.OK;
        }
    }

    @Command(name = "next", description = "List the next times of a schedule.")
    static final class Next extends OnSchedule {

        @Option(names = {"-n", "--count"}, paramLabel = "N", converter = PositiveIntConverter.class,
                description = "How many (default: 5).")
        private int count = 5;

        Next(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().many(output(), control.scheduleTimes(name, count),
                    times -> times.forEach(time -> output().print(time.toString())));
            return ExitCode.OK;
        }
    }

    @Command(name = "pause", description = "Stop a schedule until it is resumed.")
    static final class Pause extends OnSchedule {
        Pause(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            return print(control.pauseSchedule(name));
        }
    }

    @Command(name = "resume", description = "Let a paused schedule fire again, from its next time on.")
    static final class Resume extends OnSchedule {
        Resume(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            return print(control.resumeSchedule(name));
        }
    }

    @Command(name = "reset",
            description = "Drop the edit of a person: what code or heddle.yaml defines takes effect again.")
    static final class Reset extends OnSchedule {
        Reset(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            return print(control.resetSchedule(name));
        }
    }

    @Command(name = "delete", description = {"Delete a schedule.", "Jobs that it has submitted are not affected."})
    static final class Delete extends OnSchedule {
        Delete(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.deleteSchedule(name), view -> output().print(view.name() + " deleted"));
            return ExitCode.OK;
        }
    }

    @Command(name = "trigger", description = {"Submit a job of a schedule now, and print its id.",
        "The job runs even if the schedule is paused or an earlier run has not ended."})
    static final class Trigger extends OnSchedule {
        Trigger(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            JobView job = control.triggerSchedule(name);
            format().one(output(), job, view -> output().print(view.id()));
            return ExitCode.OK;
        }
    }

    @Command(name = "backfill", description = {"Make the past runs of a schedule that have not been made.",
        "They start at once, whether or not earlier runs have ended."}, footerHeading = "%nExample:%n",
            footer = "  heddle schedule backfill nightly 2030-01-01T00:00:00Z 2030-01-31T00:00:00Z")
    static final class Backfill extends OnSchedule {

        @Parameters(index = "1", paramLabel = "FROM", converter = InstantConverter.class,
                description = "First time (ISO 8601).")
        @SuppressWarnings("NullAway.Init") // set before call()
        private Instant from;

        @Parameters(index = "2", paramLabel = "TO", converter = InstantConverter.class,
                description = "Last time (ISO 8601); not in the future.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private Instant to;

        Backfill(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            BackfillResult result = control.backfillSchedule(name, new BackfillDraft(from, to));
            format().one(output(), result, done -> output().print(done.made() + " runs made, " + done.existing()
                    + (done.existing() == 1 ? " was" : " were") + " made before"));
            return ExitCode.OK;
        }
    }
}
