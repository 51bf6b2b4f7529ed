package dev.heddle.cli.command;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.AuditEntryView;
import dev.heddle.control.model.AuditFilter;
import dev.heddle.control.model.AuditPage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The commands of {@code heddle audit}. */
final class AuditCommands {

    private AuditCommands() {}

    @Command(name = "list", description = {"List who did what, newest first.",
        "Entries are kept for 90 days by default, at most a million."}, footerHeading = "%nExamples:%n",
            footer = {
                "  heddle audit list --actor token:ci", "  heddle audit list --outcome refused -n 500 -o jsonl"})
    static final class ListAll extends ControlCommand {

        @Option(names = "--actor", paramLabel = "WHO",
                description = "Only operations of this actor, such as token:ci, or ci for any kind.")
        private @Nullable String actor;

        @Option(names = "--operation", paramLabel = "NAME", description = "Only this operation, such as cancelJob.")
        private @Nullable String operation;

        @Option(names = "--target", paramLabel = "ID",
                description = "Only operations on this job (full id), queue, schedule, token and so on.")
        private @Nullable String target;

        @Option(names = "--outcome", paramLabel = "OUTCOME", description = "Only these: done, refused or failed.")
        private @Nullable String outcome;

        @Option(names = "--from", paramLabel = "TIME", converter = InstantConverter.class,
                description = "Only operations at this time or later.")
        private @Nullable Instant from;

        @Option(names = "--until", paramLabel = "TIME", converter = InstantConverter.class,
                description = "Only operations before this time.")
        private @Nullable Instant until;

        @Option(names = {"-n", "--limit"}, paramLabel = "N", converter = PositiveIntConverter.class,
                description = "Maximum number of entries (default: 50).")
        private int limit = 50;

        ListAll(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            AuditFilter filter = new AuditFilter(actor, operation, target, outcome, from, until, null, null);
            List<AuditEntryView> found = new ArrayList<>();
            @Nullable String cursor = null;
            do {
                AuditPage page = control
                        .audit(filter.page(cursor, Math.min(limit - found.size(), Control.MOST_LISTED)));
                found.addAll(page.entries());
                cursor = page.next();
            } while (cursor != null && found.size() < limit);
            Instant now = now();
            format().many(output(), found, entries -> new Table<AuditEntryView>()
                    .column("WHEN", entry -> Durations.relative(entry.at(), now)).elastic("WHO", AuditEntryView::actor)
                    .column("FROM", entry -> Objects.requireNonNullElse(entry.address(), ""))
                    .column("DID", AuditEntryView::operation)
                    .elastic("TO", entry -> Objects.requireNonNullElse(entry.target(), ""))
                    .number("COUNT", entry -> String.valueOf(entry.count()))
                    .column("OUTCOME", entry -> entry.outcome().name(), ListAll::style).print(output(), entries));
            return ExitCode.OK;
        }

        private static Style style(AuditEntryView entry) {
            return switch (entry.outcome()) {
                case DONE -> Style.PLAIN;
                case REFUSED -> Style.RED;
                case FAILED -> Style.YELLOW;
            };
        }
    }
}
