package dev.heddle.cli;

import java.io.Console;
import java.io.PrintWriter;
import java.util.Map;

import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Terminal;

/** Starts the {@code heddle} command. */
public final class Main {

    private Main() {}

    @SuppressWarnings("SystemConsoleNull") // Java 25 went back to null where there is no terminal
    public static void main(String[] args) {
        Map<String, String> environment = System.getenv();
        boolean console = false;
        if (!environment.containsKey("HEDDLE_TERMINAL")) {
            Console found = System.console();
            console = found != null && found.isTerminal();
        }
        PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        Screen screen = new Screen(out, err, Terminal.of(environment, console));
        int exit = new Commands(screen, environment).execute(args);
        System.exit(exit);
    }
}
