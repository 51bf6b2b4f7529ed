package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Sparkline;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.ErrorDetail;
import dev.heddle.control.model.ErrorNote;
import dev.heddle.control.model.ErrorView;
import dev.heddle.stats.ErrorGroup;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle error}. */
final class ErrorCommands {

    private static final int SHOWN_HOURS = 24;
    private static final int SHOWN_DIGITS = 8;

    private ErrorCommands() {}

    /** Returns the failures of the last 24 hours, one character for each. */
    private static String hours(ErrorView error, Instant now) {
        Map<Instant, Long> byStart = error.hours().stream()
                .collect(Collectors.toMap(ErrorGroup.Hour::start, ErrorGroup.Hour::failures));
        Instant current = now.truncatedTo(ChronoUnit.HOURS);
        return Sparkline.of(IntStream.rangeClosed(1 - SHOWN_HOURS, 0)
                .mapToLong(i -> byStart.getOrDefault(current.plus(Duration.ofHours(i)), 0L)).toArray());
    }

    private static String known(ErrorView error) {
        return (error.assignee() == null ? "" : "@" + error.assignee() + " ")
                + (error.note() == null ? "" : error.note());
    }

    @Command(name = "list", description = {"List failures, grouped by their cause, the ones seen last first.",
        "A group has a type, an exception, a place in the code, and a message without numbers and ids."})
    static final class ListAll extends ControlCommand {
        @Option(names = {"-t", "--type"}, paramLabel = "TYPE", description = "Only failures of jobs of this type.")
        private @Nullable String type;

        @Option(names = {"-n", "--limit"}, paramLabel = "N", converter = PositiveIntConverter.class,
                description = "Maximum number of groups (default: 50).")
        private int limit = 50;

        ListAll(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().many(output(), control.errors(type, limit), this::print);
            return ExitCode.OK;
        }

        private void print(List<ErrorView> errors) {
            Instant now = now();
            Table<ErrorView> table = new Table<ErrorView>()
                    .column("ERROR", error -> error.fingerprint().substring(0, SHOWN_DIGITS))
                    .elastic("TYPE", ErrorView::type).number("FAILURES", error -> String.valueOf(error.failures()))
                    .number("SEEN", error -> Durations.coarse(Duration.between(error.lastSeen(), now)))
                    .column("24 HOURS", error -> hours(error, now)).elastic("MESSAGE", ErrorView::message);
            if (errors.stream().anyMatch(error -> !known(error).isEmpty())) {
                table.elastic("NOTE", ErrorCommands::known);
            }
            table.print(output(), errors);
        }
    }

    /** A command for one group. */
    abstract static class OfOne extends ControlCommand {
        @Parameters(index = "0", paramLabel = "ERROR",
                description = "The fingerprint of the failures, or an unambiguous prefix of it.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String fingerprint;

        OfOne(CliContext context, Intent intent) {
            super(context, intent);
        }

        final String fingerprint() {
            return fingerprint;
        }

        final void field(String name, @Nullable String value) {
            if (value != null) {
                output().print(String.format("%-10s %s", name, value));
            }
        }
    }

    @Command(name = "show", description = "Show a group of failures with its newest dead letters.")
    static final class Show extends OfOne {
        @Option(names = {"-n", "--limit"}, paramLabel = "N", converter = PositiveIntConverter.class,
                description = "Maximum number of dead letters (default: 10).")
        private int limit = 10;

        Show(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.error(fingerprint(), null, limit), this::print);
            return ExitCode.OK;
        }

        private void print(ErrorDetail detail) {
            Instant now = now();
            ErrorView error = detail.error();
            field("error", error.fingerprint());
            field("type", error.type());
            field("exception", error.exception());
            field("in", error.frame());
            field("message", error.message());
            field("last", error.sample());
            field("failures", error.failures() + "; in the last 24 hours " + hours(error, now));
            field("seen", "first " + Durations.relative(error.firstSeen(), now) + ", last "
                    + Durations.relative(error.lastSeen(), now) + " by job " + error.lastJob());
            field("assignee", error.assignee());
            field("note", error.note());
            output().print("");
            if (detail.deadLetters().isEmpty()) {
                output().print("no dead letters");
                return;
            }
            DeadLetterCommands.ListAll.table(now, ShownIds.FULL).print(output(), detail.deadLetters());
            if (detail.next() != null) {
                output().info("there are more dead letters; show more with -n");
            }
        }
    }

    @Command(name = "note", description = {"Note what is known about a group of failures, or who takes care of it.",
        "An empty text removes a note or an assignee."}, footerHeading = "%nExample:%n",
            footer = "  heddle error note 3f2a \"known, fixed by the release on Monday\" --assignee ann")
    static final class Note extends OfOne {
        @Parameters(index = "1", arity = "0..1", paramLabel = "TEXT", description = "The note.")
        private @Nullable String text;

        @Option(names = "--assignee", paramLabel = "NAME", description = "Who takes care of it.")
        private @Nullable String assignee;

        Note(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        void validate() {
            if (text == null && assignee == null) {
                throw CliException.usage("give a note, an --assignee, or both");
            }
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.describeError(fingerprint(), new ErrorNote(text, assignee)), error -> {
                field("error", error.fingerprint());
                field("assignee", error.assignee());
                field("note", error.note());
            });
            return ExitCode.OK;
        }
    }

    /** A command for the dead letters of one group. */
    abstract static class OfDeadLetters extends OfOne {
        private final String done;

        OfDeadLetters(CliContext context, String done) {
            super(context, Intent.WRITE);
            this.done = done;
        }

        final ExitCode execute(Function<String, AffectedCount> action) {
            format().one(output(), action.apply(fingerprint()),
                    count -> output().print(JobFormat.count((int) Math.min(count.count(), Integer.MAX_VALUE),
                            "dead letter", "s") + " " + done));
            return ExitCode.OK;
        }
    }

    @Command(name = "retry", description = "Queue all dead letters of a group again.")
    static final class Retry extends OfDeadLetters {
        Retry(CliContext context) {
            super(context, "queued again");
        }

        @Override
        ExitCode execute(Control control) {
            return execute(control::retryErrors);
        }
    }

    @Command(name = "purge", description = "Delete all dead letters of a group, with everything stored for them.")
    static final class Purge extends OfDeadLetters {
        Purge(CliContext context) {
            super(context, "deleted");
        }

        @Override
        ExitCode execute(Control control) {
            return execute(control::purgeErrors);
        }
    }
}
