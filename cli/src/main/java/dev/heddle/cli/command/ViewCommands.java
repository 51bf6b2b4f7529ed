package dev.heddle.cli.command;

import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.SavedView;
import dev.heddle.control.model.ViewDraft;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle view}. */
final class ViewCommands {

    private ViewCommands() {}

    @Command(name = "list", description = {"List saved views.", "Use one with 'heddle job list --view NAME'."})
    static final class ListAll extends ControlCommand {
        ListAll(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().many(output(), control.views(), views -> new Table<SavedView>().elastic("NAME", SavedView::name)
                    .elastic("QUERY", SavedView::q).print(output(), views));
            return ExitCode.OK;
        }
    }

    @Command(name = "save", description = "Save a query under a name, replacing the one that has it.",
            footerHeading = "%nExample:%n",
            footer = "  heddle view save late-mails 'type:mail state:failed created:<1d'")
    static final class Save extends ControlCommand {
        @Parameters(index = "0", paramLabel = "NAME", description = "The name.")
        private String name = "";

        @Parameters(index = "1..*", paramLabel = "QUERY", arity = "1..*", description = "The query.")
        private List<String> words = List.of();

        Save(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        void validate() {
            QueryParameter.checked(String.join(" ", words));
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.saveView(new ViewDraft(name, String.join(" ", words))),
                    view -> output()
                            .print(view.name() + " saved; 'heddle job list --view " + view.name() + "' uses it"));
            return ExitCode.OK;
        }
    }

    @Command(name = "remove", description = "Remove a saved view.")
    static final class Remove extends ControlCommand {
        @Parameters(paramLabel = "NAME", description = "The name.")
        private String name = "";

        Remove(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.removeView(name), view -> output().print(view.name() + " removed"));
            return ExitCode.OK;
        }
    }
}
