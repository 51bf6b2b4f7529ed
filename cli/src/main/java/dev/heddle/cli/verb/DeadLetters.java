package dev.heddle.cli.verb;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Spans;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.Count;
import dev.heddle.control.DeadLetterView;
import dev.heddle.control.DeadPage;
import dev.heddle.control.JobFilter;
import dev.heddle.control.JobPage;
import dev.heddle.job.JobState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands about jobs that failed for good. */
final class DeadLetters {

    private static final int AT_ONCE = 500;

    private DeadLetters() {}

    @Command(name = "list", description = "List the jobs that failed for good, newest first.")
    static final class ListAll extends Question {
        @Mixin private final Filter filter = new Filter();

        @Option(names = {"-n",
            "--limit"}, paramLabel = "N", converter = AtLeastOne.class, description = "The most dead letters; default 50.") private int limit = 50;

        ListAll(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            List<DeadLetterView> found = new ArrayList<>();
            JobFilter next = filter.filter();
            while (true) {
                DeadPage page = control
                        .deadLetters(next.limit(Math.min(limit - found.size(), Control.MOST_LISTED)));
                found.addAll(page.deadLetters());
                if (page.next() == null || found.size() >= limit) {
                    break;
                }
                next = next.cursor(page.next());
            }
            format().many(screen(), found,
                    letters -> table(desk().clock().instant()).print(screen(), letters));
            return Exit.OK;
        }

        private static Table<DeadLetterView> table(Instant now) {
            return new Table<DeadLetterView>().column("ID", letter -> letter.job().id())
                    .elastic("TYPE", letter -> letter.job().type())
                    .elastic("QUEUE", letter -> letter.job().queue())
                    .number("TRIES", letter -> String.valueOf(letter.attempts()))
                    .column("DIED", letter -> Spans.relative(letter.lastFailure(), now))
                    .elastic("REASON", letter -> letter.failure() == null ? letter.reason()
                            : letter.failure().message());
        }
    }

    @Command(name = "show", description = "Show a dead letter with its payload and its last failure.")
    static final class Show extends Question {
        @Parameters(paramLabel = "ID", description = "The job, by its id or the beginning of it.") @SuppressWarnings("NullAway.Init") // set before call()
        private String id;

        Show(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.deadLetter(id), this::print);
            return Exit.OK;
        }

        private void print(DeadLetterView letter) {
            Instant now = desk().clock().instant();
            field("id", letter.job().id());
            field("type", letter.job().type());
            field("queue", letter.job().queue());
            field("reason", letter.reason());
            field("attempts", String.valueOf(letter.attempts()));
            field("first", letter.firstFailure() + "  (" + Spans.relative(letter.firstFailure(), now) + ")");
            field("last", letter.lastFailure() + "  (" + Spans.relative(letter.lastFailure(), now) + ")");
            if (letter.payload() != null) {
                field("payload", letter.payload().toString());
            }
            if (letter.checkpoint() != null) {
                field("checkpoint", letter.checkpoint().toString());
            }
            if (letter.failure() != null) {
                field("failure", letter.failure().category() + ": " + letter.failure().message());
                if (letter.failure().recoveryHint() != null) {
                    field("hint", letter.failure().recoveryHint());
                }
                if (letter.failure().details() != null) {
                    letter.failure().details().lines().map(Screen::harmless)
                            .forEach(line -> screen().print(screen().styled(Style.DIM, "  " + line.strip())));
                }
            }
        }

        private void field(String name, String value) {
            screen().print(String.format("%-11s %s", name, Screen.harmless(value)));
        }
    }

    @Command(name = "retry", description = "Queue dead letters again, with all their retries: those named, or all that match.")
    static final class Retry extends Question {
        @Parameters(paramLabel = "ID", arity = "0..*", description = "The jobs, by their ids or the beginnings of them.") private List<String> ids = List
                .of();

        @Option(names = "--all", description = "All dead letters.") private boolean all;

        @Mixin private final Filter filter = new Filter();

        Retry(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        void check() {
            requireOneWay(!ids.isEmpty(), all, filter.isNarrow(), "retry");
        }

        @Override
        Exit ask(Control control) {
            if (ids.isEmpty()) {
                format().one(screen(), new Count(retryMatching(control)),
                        told -> screen().print(told.count() + " queued again"));
                return Exit.OK;
            }
            return toEach(ids, control::retry, job -> job.id() + " " + job.state());
        }

        /** Bunch by bunch to the oldest, once: what dies again meanwhile is not queued a second time. */
        private long retryMatching(Control control) {
            long expected = all ? control.stats().dead() : 0;
            long total = 0;
            JobFilter bunch = filter.filter().states(JobState.FAILED).limit(AT_ONCE);
            try (ProgressLine line = new ProgressLine(screen())) {
                while (true) {
                    JobPage page = control.jobs(bunch);
                    if (!page.jobs().isEmpty()) {
                        total += control.retryDead(bunch).count();
                    }
                    if (page.next() == null) {
                        return total;
                    }
                    line.show(total, expected, total + " queued again");
                    bunch = bunch.cursor(page.next());
                }
            }
        }
    }

    @Command(name = "purge", description = "Delete dead letters for good, with everything of theirs.")
    static final class Purge extends Question {
        @Option(names = "--all", description = "All dead letters.") private boolean all;

        @Mixin private final Filter filter = new Filter();

        Purge(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        void check() {
            requireOneWay(false, all, filter.isNarrow(), "purge");
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), new Count(purgeMatching(control)),
                    told -> screen().print(told.count() + " deleted"));
            return Exit.OK;
        }

        private long purgeMatching(Control control) {
            long expected = all ? control.stats().dead() : 0;
            long total = 0;
            try (ProgressLine line = new ProgressLine(screen())) {
                while (true) {
                    long count = control.purgeDead(filter.filter().limit(AT_ONCE)).count();
                    total += count;
                    if (count < AT_ONCE) {
                        return total;
                    }
                    line.show(total, expected, total + " deleted");
                }
            }
        }
    }

    /** An order to many must say which: a slip should not reach all of them. */
    private static void requireOneWay(boolean named, boolean all, boolean matching, String what) {
        int ways = (named ? 1 : 0) + (all ? 1 : 0) + (matching ? 1 : 0);
        if (ways == 0) {
            throw CliException.usage("say which to " + what + ": " + (what.equals("retry") ? "ids, " : "")
                    + "--all, or --type, --queue, --subject, --tag or --parent");
        }
        if (ways > 1) {
            throw CliException.usage("say which to " + what + " in one way: "
                    + (what.equals("retry") ? "ids, " : "") + "--all, or filters");
        }
    }
}
