package dev.heddle.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

import picocli.CommandLine;

/** Runs commands in this JVM and keeps what they print. */
public final class Cli {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    /** What a command printed, and its exit code. */
    public record Answer(int exit, String out, String err) {}

    /** The command as it stands in {@code main}, without colour. */
    public CommandLine commandLine() {
        return Main.commandLine(new PrintWriter(out, true), new PrintWriter(err, true), false);
    }

    /** What was printed so far. */
    public Answer answer(int exit) {
        return new Answer(exit, out.toString(), err.toString());
    }

    /** Runs one command. */
    public static Answer run(String... args) {
        Cli cli = new Cli();
        return cli.answer(cli.commandLine().execute(args));
    }
}
