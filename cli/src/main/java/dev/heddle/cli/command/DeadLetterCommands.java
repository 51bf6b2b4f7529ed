package dev.heddle.cli.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.ProgressLine;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.AffectedCount;
import dev.heddle.control.model.DeadLetterPage;
import dev.heddle.control.model.DeadLetterView;
import dev.heddle.control.model.JobFilter;
import dev.heddle.control.model.JobPage;
import dev.heddle.job.JobState;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle dead}. */
final class DeadLetterCommands {

    private static final int BATCH_SIZE = 500;

    private DeadLetterCommands() {}

    @Command(name = "list", description = "List dead letters (jobs that failed permanently), newest first.")
    static final class ListAll extends ListCommand<DeadLetterView> {
        @Mixin
        private final QueryParameter query = new QueryParameter();

        @Mixin
        private final JobFilterOptions filter = new JobFilterOptions();

        @Option(names = {"-n", "--limit"}, paramLabel = "N", converter = PositiveIntConverter.class,
                description = "Maximum number of dead letters (default: 50).")
        private int limit = 50;

        ListAll(CliContext context) {
            super(context);
        }

        @Override
        void validate() {
            query.get();
        }

        @Override
        List<DeadLetterView> fetch(Control control) {
            List<DeadLetterView> found = new ArrayList<>();
            JobFilter next = filter.filter().q(query.get(control));
            while (true) {
                DeadLetterPage page = control
                        .deadLetters(next.limit(Math.min(limit - found.size(), Control.MOST_LISTED)));
                found.addAll(page.deadLetters());
                if (page.next() == null || found.size() >= limit) {
                    return found;
                }
                next = next.cursor(page.next());
            }
        }

        @Override
        String id(DeadLetterView letter) {
            return letter.job().id();
        }

        @Override
        List<String> jobIds(List<DeadLetterView> letters) {
            return letters.stream().map(this::id).toList();
        }

        @Override
        void print(List<DeadLetterView> letters, ShownIds ids) {
            print(table(now(), ids), letters);
        }

        static Table<DeadLetterView> table(Instant now, ShownIds ids) {
            return new Table<DeadLetterView>().column("ID", letter -> ids.of(letter.job().id()))
                    .elastic("TYPE", letter -> letter.job().type()).elastic("QUEUE", letter -> letter.job().queue())
                    .number("ATTEMPTS", letter -> String.valueOf(letter.attempts()))
                    .column("FAILED", letter -> Durations.relative(letter.lastFailure(), now)).elastic("REASON",
                            letter -> letter.failure() == null ? letter.reason() : letter.failure().message());
        }
    }

    @Command(name = "show", description = "Show a dead letter with its payload and last failure.")
    static final class Show extends ControlCommand {
        @Mixin
        private final JobIdParameter id = new JobIdParameter();

        Show(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.deadLetter(id.get()), this::print);
            return ExitCode.OK;
        }

        private void print(DeadLetterView letter) {
            Instant now = now();
            field("id", letter.job().id());
            field("type", letter.job().type());
            field("queue", letter.job().queue());
            field("reason", letter.reason());
            field("attempts", String.valueOf(letter.attempts()));
            field("first", letter.firstFailure() + "  (" + Durations.relative(letter.firstFailure(), now) + ")");
            field("last", letter.lastFailure() + "  (" + Durations.relative(letter.lastFailure(), now) + ")");
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
                    letter.failure().details().lines()
                            .forEach(line -> output().print(output().styled(Style.DIM, "  " + line.strip())));
                }
            }
        }

        private void field(String name, String value) {
            output().print(String.format("%-11s %s", name, value));
        }
    }

    @Command(name = "retry", description = "Queue dead letters again, with a fresh set of retries.")
    static final class Retry extends ControlCommand {
        @Parameters(paramLabel = "ID", arity = "0..*", description = "Job ids, or unique prefixes of them.")
        private List<String> ids = List
                .of();

        @Option(names = "--all", description = "Retry all dead letters.")
        private boolean all;

        @Mixin
        private final JobFilterOptions filter = new JobFilterOptions();

        Retry(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        void validate() {
            requireOneSelection(!ids.isEmpty(), all, filter.isRestrictive(), "retry");
        }

        @Override
        ExitCode execute(Control control) {
            if (ids.isEmpty()) {
                format().one(output(), new AffectedCount(retryMatching(control)),
                        result -> output().print(result.count() + " queued again"));
                return ExitCode.OK;
            }
            return applyToEach(ids, control::retry, job -> job.id() + " " + job.state());
        }

        /** Pages from the newest to the oldest once, so a job that fails again meanwhile is not queued twice. */
        private long retryMatching(Control control) {
            long expected = all ? control.stats().dead() : 0;
            long total = 0;
            JobFilter next = filter.filter().states(JobState.FAILED).limit(BATCH_SIZE);
            try (ProgressLine line = new ProgressLine(output())) {
                while (true) {
                    JobPage page = control.jobs(next);
                    if (!page.jobs().isEmpty()) {
                        total += control.retryDead(next).count();
                    }
                    if (page.next() == null) {
                        return total;
                    }
                    line.show(total, expected, total + " queued again");
                    next = next.cursor(page.next());
                }
            }
        }
    }

    @Command(name = "purge", description = "Delete dead letters and everything stored for them.")
    static final class Purge extends ControlCommand {
        @Option(names = "--all", description = "Purge all dead letters.")
        private boolean all;

        @Mixin
        private final JobFilterOptions filter = new JobFilterOptions();

        Purge(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        void validate() {
            requireOneSelection(false, all, filter.isRestrictive(), "purge");
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), new AffectedCount(purgeMatching(control)),
                    result -> output().print(result.count() + " deleted"));
            return ExitCode.OK;
        }

        private long purgeMatching(Control control) {
            long expected = all ? control.stats().dead() : 0;
            long total = 0;
            try (ProgressLine line = new ProgressLine(output())) {
                while (true) {
                    long count = control.purgeDead(filter.filter().limit(BATCH_SIZE)).count();
                    total += count;
                    if (count < BATCH_SIZE) {
                        return total;
                    }
                    line.show(total, expected, total + " deleted");
                }
            }
        }
    }

    /** Requires an explicit selection, so a forgotten option does not affect all dead letters. */
    private static void requireOneSelection(boolean byId, boolean all, boolean byFilter, String action) {
        int selections = (byId ? 1 : 0) + (all ? 1 : 0) + (byFilter ? 1 : 0);
        String ids = action.equals("retry") ? "ids, " : "";
        if (selections == 0) {
            throw CliException.usage("nothing selected to " + action + "; give " + ids
                    + "--all, or a filter: --type, --queue, --subject, --tag or --parent");
        }
        if (selections > 1) {
            throw CliException.usage("ambiguous selection; give only one of " + ids + "--all, or filters");
        }
    }
}
