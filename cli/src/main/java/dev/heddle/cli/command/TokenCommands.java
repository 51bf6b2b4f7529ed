package dev.heddle.cli.command;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.shell.DurationConverter;
import dev.heddle.cli.shell.Durations;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Style;
import dev.heddle.cli.shell.Table;
import dev.heddle.control.Control;
import dev.heddle.control.model.NewTokenView;
import dev.heddle.control.model.TokenDraft;
import dev.heddle.control.model.TokenView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands of {@code heddle token}. */
final class TokenCommands {

    private TokenCommands() {}

    private static Table<TokenView> table(Instant now) {
        return new Table<TokenView>().elastic("NAME", TokenView::name).column("ROLE", token -> token.role().text())
                .column("STARTS WITH", TokenView::hint)
                .column("EXPIRES", token -> expiry(token, now), token -> token.expired() ? Style.RED : Style.PLAIN)
                .column("LAST USED", token -> time(token.usedAt(), "never", now))
                .column("CREATED", token -> time(token.createdAt(), "", now)).elastic("BY", TokenView::createdBy);
    }

    private static String expiry(TokenView token, Instant now) {
        return token.expired() ? "expired" : time(token.expiresAt(), "never", now);
    }

    private static String time(@Nullable Instant time, String none, Instant now) {
        return time == null ? none : Durations.relative(time, now);
    }

    @Command(name = "list", description = {"List tokens.", "Shows who may use the HTTP API, and when they last did."})
    static final class ListAll extends ControlCommand {
        ListAll(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().many(output(), control.tokens(), tokens -> table(now()).print(output(), tokens));
            return ExitCode.OK;
        }
    }

    @Command(name = "create", description = {"Create a token.",
        "Prints it once; nobody can read it again. Roles: viewer reads; operator also submits"
                + " jobs and acts on them; admin does everything."},
            footerHeading = "%nExample:%n",
            footer = "  heddle token create ci --role operator --expires 90d")
    static final class Create extends ControlCommand {

        @Parameters(paramLabel = "NAME", description = "Who or what will use it.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String name;

        @Option(names = "--role", paramLabel = "ROLE", required = true,
                description = "What its holder may do: viewer, operator or admin.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String role;

        @Option(names = "--expires", paramLabel = "TIME", converter = DurationConverter.class,
                description = "How long it is valid, such as 90d; until it is revoked if unset.")
        private @Nullable Duration expires;

        Create(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            NewTokenView created = control.createToken(new TokenDraft(name, role, expires));
            format().one(output(), created, token -> output().print(token.secret()));
            output().info("created token '" + name + "' with the role " + created.token().role().text()
                    + "; it is shown only now");
            return ExitCode.OK;
        }
    }

    @Command(name = "revoke", description = {"Revoke a token.",
        "The node that answers refuses it at once, other nodes within seconds."})
    static final class Revoke extends ControlCommand {
        @Parameters(paramLabel = "NAME", description = "The name of the token.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String name;

        Revoke(CliContext context) {
            super(context, Intent.WRITE);
        }

        @Override
        ExitCode execute(Control control) {
            TokenView revoked = control.revokeToken(name);
            format().one(output(), revoked, token -> table(now()).print(output(), List.of(token)));
            return ExitCode.OK;
        }
    }
}
