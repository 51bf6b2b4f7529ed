package dev.heddle.cli.verb;

import java.time.Instant;

import dev.heddle.cli.access.Access;
import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Spans;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.SessionView;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** The commands about clients' sessions. */
final class Sessions {

    private Sessions() {}

    @Command(name = "list", description = "List the clients' sessions and the workers that have them.")
    static final class ListAll extends Question {
        ListAll(Desk desk) {
            super(desk, Access.Intent.LOOK);
        }

        @Override
        Exit ask(Control control) {
            Instant now = desk().clock().instant();
            format().many(screen(), control.sessions(), sessions -> new Table<SessionView>()
                    .elastic("SESSION", SessionView::session).column("TYPE", SessionView::type)
                    .column("WORKER", session -> session.worker() == null ? "LOST" : session.worker(),
                            session -> session.worker() == null ? Style.RED : Style.PLAIN)
                    .column("BEGAN", session -> Spans.relative(session.boundAt(), now))
                    .column("USED", session -> Spans.relative(session.usedAt(), now))
                    .print(screen(), sessions));
            return Exit.OK;
        }
    }

    @Command(name = "drop", description = "End a session: its waiting jobs fail as lost, the next one begins it anew.")
    static final class Drop extends Question {
        @Parameters(paramLabel = "SESSION", description = "The client's key.") @SuppressWarnings("NullAway.Init") // set before call()
        private String session;

        Drop(Desk desk) {
            super(desk, Access.Intent.CHANGE);
        }

        @Override
        Exit ask(Control control) {
            format().one(screen(), control.dropSession(session), _ -> screen().print("dropped " + session));
            return Exit.OK;
        }
    }
}
