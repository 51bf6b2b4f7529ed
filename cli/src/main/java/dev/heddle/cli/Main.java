package dev.heddle.cli;

import java.io.Console;
import java.io.IOException;
import java.util.List;
import java.util.Map;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.ExitCode;
import dev.heddle.cli.shell.Terminal;

/** The entry point of the {@code heddle} command. */
public final class Main {

    private static final List<String> VERSION = List.of("version", "--version", "-V");

    private Main() {}

    /** Runs the command that the arguments name, and exits with its code. */
    @SuppressWarnings("SystemConsoleNull") // Java 25 returns null again if there is no terminal
    public static void main(String[] args) throws IOException {
        if (args.length == 1 && VERSION.contains(args[0])) {
            // Printing the version without loading the parser takes a third of the time.
            System.out.println(Version.line());
            return;
        }
        Map<String, String> environment = System.getenv();
        boolean console = false;
        if (!environment.containsKey("HEDDLE_TERMINAL")) {
            Console systemConsole = System.console();
            console = systemConsole != null && systemConsole.isTerminal();
        }
        CliOutput output = new CliOutput(System.out, System.err, Terminal.of(environment, console));
        // Not returning from here would leave a process that nothing but kill -9 ends, if a thread is still running.
        int exit = ExitCode.FAILED.code();
        try {
            exit = new Commands(new CliContext(output, environment, System.in)).execute(args);
        } catch (Throwable e) { // such as NoClassDefFoundError, if the jars were deleted or replaced meanwhile
            System.err.println("heddle: " + e);
        } finally {
            System.exit(exit);
        }
    }
}
