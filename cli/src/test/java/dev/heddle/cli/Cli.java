package dev.heddle.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.heddle.cli.access.CliContext;
import dev.heddle.cli.shell.CliOutput;
import dev.heddle.cli.shell.Terminal;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import picocli.CommandLine;

/** Runs commands in this JVM and captures their output. */
public final class Cli {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment;
    private InputStream in = InputStream.nullInputStream();
    private Terminal terminal = Terminal.NONE;

    /** The exit code and the output of a command. */
    public record Answer(int exit, String out, String err) {}

    public Cli() {
        this(Map.of());
    }

    /** Creates a runner with these environment variables. */
    public Cli(Map<String, String> environment) {
        this.environment = new HashMap<>(environment);
    }

    /** Waits for conditions that depend on other processes, which may be slow. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** Sets the standard input of the next command. */
    public Cli with(String input) {
        in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    /** Has the next command print to a terminal that shows no colors. */
    public Cli onTerminal() {
        return onTerminal(1_000);
    }

    /** Has the next command print to a terminal of this width that shows no colors. */
    public Cli onTerminal(int width) {
        terminal = new Terminal(true, true, false, width);
        return this;
    }

    private Commands commands() {
        CliOutput output = new CliOutput(new PrintWriter(out, true), new PrintWriter(err, true), terminal);
        return new Commands(new CliContext(output, environment, in));
    }

    /** Returns the root command with all subcommands, without color. */
    public CommandLine commandLine() {
        return commands().all();
    }

    /** Returns what was printed so far. */
    public Answer answer(int exit) {
        return new Answer(exit, out.toString(), err.toString());
    }

    /** Runs a command with an empty environment. */
    public static Answer run(String... args) {
        return new Cli().call(args);
    }

    /** Runs a command. */
    public Answer call(String... args) {
        return answer(commands().execute(args));
    }
}
