package dev.heddle.cli;

import java.io.Console;
import java.io.IOException;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Terminal;

/** Starts the {@code heddle} command. */
public final class Main {

    private static final List<String> VERSION = List.of("version", "--version", "-V");

    private Main() {}

    @SuppressWarnings("SystemConsoleNull") // Java 25 went back to null where there is no terminal
    public static void main(String[] args) throws IOException {
        if (args.length == 1 && VERSION.contains(args[0])) {
            // A tenth of a second is a long time for one line: without the parser it takes a third of that.
            System.out.println(Version.line());
            return;
        }
        Map<String, String> environment = System.getenv();
        boolean console = false;
        if (!environment.containsKey("HEDDLE_TERMINAL")) {
            Console found = System.console();
            console = found != null && found.isTerminal();
        }
        Screen screen = new Screen(System.out, System.err, Terminal.of(environment, console));
        int exit = new Commands(new Desk(screen, environment, System.in)).execute(args);
        System.exit(exit);
    }
}
