package dev.heddle.cli.command;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.LimitDraft;
import dev.heddle.control.model.LimitKeyView;
import dev.heddle.control.model.LimitView;
import dev.heddle.job.DurationText;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle limit}. */
final class LimitCommands {

    private static final int SHOWN_KEYS = 5;

    private LimitCommands() {}

    private record Line(LimitView limit, @Nullable LimitKeyView key) {}

    private static List<Line> lines(List<LimitView> limits) {
        return limits.stream().flatMap(limit -> limit.keys().isEmpty() ? Stream.of(new Line(limit, null))
                : limit.keys().stream().limit(SHOWN_KEYS).map(key -> new Line(limit, key))).toList();
    }

    private static Table<Line> table() {
        return new Table<Line>().elastic("LIMIT", line -> line.limit.name())
                .elastic("COVERS", line -> Stream.of(line.limit.covers(), line.limit.key())
                        .filter(part -> part != null).reduce((one, two) -> one + " " + two).orElse(""))
                .number("AT ONCE", line -> line.limit.maxConcurrent() == null ? "" : "" + line.limit.maxConcurrent())
                .column("RATE", line -> rate(line.limit)).elastic("KEY", line -> line.key == null ? "" : line.key.key())
                .number("RUNNING", line -> line.key == null ? "" : "" + line.key.running())
                .number("WAITING", line -> line.key == null ? "" : "" + line.key.waiting());
    }

    private static String rate(LimitView limit) {
        Duration per = limit.per();
        return per == null ? "" : limit.rate() + "/" + DurationText.of(per) + " burst " + limit.burst();
    }

    @Command(name = "list", description = {"List limits and the keys that are in use.",
        "Shows the five fullest keys of each limit; -o json shows 100."})
    static final class ListAll extends ListCommand<LimitView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<LimitView> fetch(Control control) {
            return control.limits();
        }

        @Override
        String id(LimitView limit) {
            return limit.name();
        }

        @Override
        void print(List<LimitView> limits, ShownIds ids) {
            print(table(), lines(limits));
        }
    }

    @Command(name = "set", description = {"Set a limit.",
        "Limits how many jobs of each key run at once, or start in a time, over all nodes.",
        "Its bounds hold at once. It covers jobs that are submitted from now on."}, footerHeading = "%nExample:%n",
            footer = "  heddle limit set per-customer --max 3 --key '$.customer'")
    static final class Set extends ControlCommand {

        @Parameters(index = "0", paramLabel = "NAME", description = "The name of the limit.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String name;

        @Option(names = "--max", paramLabel = "N", converter = PositiveIntConverter.class,
                description = "How many jobs of a key may run at once.")
        private @Nullable Integer max;

        @Option(names = "--rate", paramLabel = "N/TIME",
                description = "How many jobs of a key may start in a time, such as 100/1m.")
        private @Nullable String rate;

        @Option(names = "--burst", paramLabel = "N", converter = PositiveIntConverter.class,
                description = "How many jobs may start together after a pause; 1 if unset.")
        private @Nullable Integer burst;

        @Option(names = "--key", paramLabel = "PATH",
                description = "Where the payload has the key, such as $.customer.id.")
        private @Nullable String key;

        @Option(names = "--type", paramLabel = "TYPE", description = "Cover the jobs of this type.")
        private @Nullable String type;

        @Option(names = "--queue", paramLabel = "QUEUE", description = "Cover the jobs of this queue.")
        private @Nullable String queue;

        @Option(names = "--tag", paramLabel = "TAG", description = "Cover the jobs with this tag.")
        private @Nullable String tag;

        @Option(names = "--when-full", paramLabel = "POLICY",
                description = "If there is no room: queue (default), dropNew or cancelRunning.")
        private @Nullable String whenFull;

        Set(CliContext context) {
            super(context, Intent.WRITE);
        }

        private static Duration time(String text) {
            try {
                return Durations.parse(text);
            } catch (IllegalArgumentException e) {
                throw CliException.usage("--rate: " + e.getMessage());
            }
        }

        @Override
        ExitCode execute(Control control) {
            if (max == null && rate == null) {
                throw CliException.usage(burst == null ? "set --max, --rate or both" : "--burst needs --rate");
            }
            String[] parts = rate == null ? new String[0] : rate.split("/", -1);
            if (rate != null && (parts.length != 2 || !parts[0].matches("\\d{1,9}"))) {
                throw CliException.usage(
                        "--rate is a number and a time, such as 100/1m: '" + Limits.quoted(rate) + "'");
            }
            LimitView set = control.setLimit(new LimitDraft(name, type, queue, tag, key, max,
                    rate == null ? null : Integer.valueOf(parts[0]), rate == null ? null : time(parts[1]),
                    burst, whenFull));
            format().one(output(), set, view -> table().print(output(), lines(List.of(view))));
            return ExitCode.OK;
        }
    }

    @Command(name = "remove", description = {"Remove a limit.", "Jobs no longer wait for it."})
    static final class Remove extends ControlCommand {
        @Parameters(paramLabel = "NAME", description = "The name of the limit.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String name;

        Remove(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.removeLimit(name), _ -> output().print("removed " + name));
            return ExitCode.OK;
        }
    }
}
