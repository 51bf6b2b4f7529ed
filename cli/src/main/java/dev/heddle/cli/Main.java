package dev.heddle.cli;

import java.io.Console;
import java.io.PrintWriter;

import dev.heddle.cli.shell.Exit;
import dev.heddle.cli.shell.Terminal;
import dev.heddle.cli.shell.WrongUsage;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Help.Ansi;

/** Starts the {@code heddle} command. */
public final class Main {

    private Main() {}

    @SuppressWarnings("SystemConsoleNull") // Java 25 went back to null where there is no terminal
    public static void main(String[] args) {
        Console console = System.console();
        boolean colour = Terminal.showsColour(System.getenv(), console != null && console.isTerminal());
        PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
        PrintWriter err = new PrintWriter(System.err, true, System.err.charset());
        System.exit(commandLine(out, err, colour).execute(args));
    }

    /** The command with all its subcommands, writing to the given streams. */
    static CommandLine commandLine(PrintWriter out, PrintWriter err, boolean colour) {
        return new CommandLine(new HeddleCommand())
                .setOut(out)
                .setErr(err)
                .setColorScheme(Help.defaultColorScheme(colour ? Ansi.ON : Ansi.OFF))
                .setParameterExceptionHandler(new WrongUsage())
                .setExecutionExceptionHandler((failure, command, parsed) -> failed(failure, command));
    }

    private static int failed(Exception failure, CommandLine command) {
        LoggerFactory.getLogger(Main.class).debug("Command failed", failure);
        String what = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        command.getErr().println(command.getCommandSpec().qualifiedName() + ": " + what);
        return Exit.FAILED;
    }
}
