package dev.heddle.cli.command;

import java.time.Instant;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.SessionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle session}. */
final class SessionCommands {

    private SessionCommands() {}

    @Command(name = "list", description = "List client sessions and the workers they are bound to.")
    static final class ListAll extends ListCommand<SessionView> {
        ListAll(CliContext context) {
            super(context);
        }

        @Override
        List<SessionView> fetch(Control control) {
            return control.sessions();
        }

        @Override
        String id(SessionView session) {
            return session.session();
        }

        @Override
        void print(List<SessionView> sessions, ShownIds ids) {
            Instant now = now();
            print(new Table<SessionView>().elastic("SESSION", SessionView::session)
                    .column("TYPE", SessionView::type)
                    .column("WORKER", session -> session.worker() == null ? "LOST" : session.worker(),
                            session -> session.worker() == null ? Style.RED : Style.PLAIN)
                    .column("STARTED", session -> Durations.relative(session.boundAt(), now))
                    .column("LAST USED", session -> Durations.relative(session.usedAt(), now)), sessions);
        }
    }

    @Command(name = "drop", description = {"End a session.",
        "Its waiting jobs fail as lost. The next job starts a new session."})
    static final class Drop extends ControlCommand {
        @Parameters(paramLabel = "SESSION", description = "Session key.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String session;

        Drop(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.dropSession(session), _ -> output().print("dropped " + session));
            return ExitCode.OK;
        }
    }
}
