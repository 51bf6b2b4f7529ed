package dev.heddle.cli.command;

import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.access.Connector.Intent;
import dev.heddle.cli.access.RemoteLogin;
import dev.heddle.cli.shell.CliException;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.control.Control;
import dev.heddle.control.model.CallerView;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The commands {@code login}, {@code logout} and {@code whoami}. */
final class LoginCommands {

    private LoginCommands() {}

    @Command(name = "login", description = {"Use a node on another machine.",
        "Asks for a token, checks it, and stores both for later commands; a home in the current directory, --home and"
                + " HEDDLE_URL still come first. Without a terminal, the token is read from standard input."},
            footerHeading = "%nExample:%n", footer = "  heddle login https://heddle.example")
    static final class Login extends OutputCommand {

        @Parameters(paramLabel = "URL", description = "Address of the node.")
        @SuppressWarnings("NullAway.Init") // set before call()
        private String url;

        @Option(names = "--certificate", paramLabel = "FILE",
                description = "PEM file with the certificate of the node; trusts it and no other.")
        private @Nullable Path certificate;

        @Option(names = "--insecure",
                description = "Allow http to another machine, which shows the token to the network.")
        private boolean insecure;

        Login(CliContext context) {
            super(context);
        }

        @Override
        ExitCode run() throws IOException {
            URI address = RemoteLogin.address(url);
            if (address.getScheme().equals("http") && !insecure && !isThisMachine(address.getHost())) {
                throw CliException.usage("http to " + address.getHost()
                        + " shows the token to the network; use https, or --insecure");
            }
            if (certificate != null && !Files.isReadable(certificate)) {
                throw CliException.usage("cannot read the certificate " + certificate);
            }
            RemoteLogin login = new RemoteLogin(address, token(),
                    certificate == null ? null : certificate.toAbsolutePath().normalize());
            try (Control control = login.connect()) {
                CallerView caller = control.caller();
                login.store(context().options().environment());
                format().one(output(), caller,
                        known -> output().print("logged in to " + address + " as " + describe(known)));
            }
            return ExitCode.OK;
        }

        private static boolean isThisMachine(String host) {
            try {
                return InetAddress.getByName(host).isLoopbackAddress();
            } catch (UnknownHostException e) {
                return false;
            }
        }

        private String token() throws IOException {
            Console console = output().terminal().err() ? System.console() : null;
            @Nullable String token;
            if (console != null) {
                char @Nullable [] typed = console.readPassword("Token: ");
                token = typed == null ? null : new String(typed);
            } else {
                token = new BufferedReader(new InputStreamReader(context().in(), StandardCharsets.UTF_8)).readLine();
            }
            if (token == null || token.isBlank()) {
                throw CliException.usage("no token was given; 'heddle token create' on the node makes one");
            }
            return token.strip();
        }
    }

    @Command(name = "logout", description = {"Forget the node of 'heddle login'.",
        "The token stays valid; 'heddle token revoke' ends it."})
    static final class Logout extends OutputCommand {
        Logout(CliContext context) {
            super(context);
        }

        @Override
        ExitCode run() throws IOException {
            boolean forgotten = RemoteLogin.forget(context().options().environment());
            output().info(forgotten ? "logged out" : "you were not logged in");
            return ExitCode.OK;
        }
    }

    @Command(name = "whoami", description = "Show as whom commands act, and what they may do.")
    static final class WhoAmI extends ControlCommand {
        WhoAmI(CliContext context) {
            super(context, Intent.READ);
        }

        @Override
        ExitCode execute(Control control) {
            format().one(output(), control.caller(), caller -> output().print(describe(caller)));
            return ExitCode.OK;
        }
    }

    private static String describe(CallerView caller) {
        return caller.actor() + " with the role " + caller.role().text();
    }
}
