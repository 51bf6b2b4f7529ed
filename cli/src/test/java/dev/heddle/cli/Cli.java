package dev.heddle.cli;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import dev.heddle.cli.access.Desk;
import dev.heddle.cli.shell.Screen;
import dev.heddle.cli.shell.Terminal;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;
import picocli.CommandLine;

/** Runs commands in this JVM and keeps what they print. */
public final class Cli {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final Map<String, String> environment;
    private InputStream in = InputStream.nullInputStream();

    /** What a command printed, and its exit code. */
    public record Answer(int exit, String out, String err) {}

    public Cli() {
        this(Map.of());
    }

    /** With environment variables of its own. */
    public Cli(Map<String, String> environment) {
        this.environment = new HashMap<>(environment);
    }

    /** For what another process has to do first, which may be held up for a while. */
    public static ConditionFactory await() {
        return Awaitility.await().atMost(Duration.ofSeconds(60));
    }

    /** What the next command finds on its standard input. */
    public Cli with(String input) {
        in = new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8));
        return this;
    }

    private Commands commands() {
        Screen screen = new Screen(new PrintWriter(out, true), new PrintWriter(err, true), Terminal.NONE);
        return new Commands(new Desk(screen, environment, in));
    }

    /** The command as it stands in {@code main}, without colour. */
    public CommandLine commandLine() {
        return commands().whole();
    }

    /** What was printed so far. */
    public Answer answer(int exit) {
        return new Answer(exit, out.toString(), err.toString());
    }

    /** Runs one command. */
    public static Answer run(String... args) {
        return new Cli().call(args);
    }

    /** Runs one command with this environment. */
    public Answer call(String... args) {
        return answer(commands().execute(args));
    }
}
