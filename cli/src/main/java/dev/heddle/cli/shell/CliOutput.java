package dev.heddle.cli.shell;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;

import dev.heddle.output.SafeText;
import org.jspecify.annotations.Nullable;

/**
 * Prints data to standard output and messages for people to standard error. Every line is made safe here, because it
 * may contain text of others: names, messages, the output of jobs. A terminal never gets anything else, unless the user
 * asks for it.
 */
public final class CliOutput {

    private final PrintWriter out;
    private final PrintWriter err;
    private final Terminal terminal;
    private final @Nullable PrintStream rawOut;
    private final @Nullable PrintStream rawErr;
    private final boolean jsonMessages;
    private final SafeDecoder safeOut = new SafeDecoder();
    private final SafeDecoder safeErr = new SafeDecoder();

    /** Creates an output on writers, as tests use it. */
    public CliOutput(PrintWriter out, PrintWriter err, Terminal terminal) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.rawOut = null;
        this.rawErr = null;
        this.jsonMessages = false;
    }

    /** Creates an output on the streams of this process, which also take raw bytes. */
    public CliOutput(PrintStream out, PrintStream err, Terminal terminal) {
        this.out = new PrintWriter(out, true, out.charset());
        this.err = new PrintWriter(err, true, err.charset());
        this.terminal = terminal;
        this.rawOut = out;
        this.rawErr = err;
        this.jsonMessages = false;
    }

    private CliOutput(CliOutput other) {
        this.out = other.out;
        this.err = other.err;
        this.terminal = other.terminal;
        this.rawOut = other.rawOut;
        this.rawErr = other.rawErr;
        this.jsonMessages = true;
    }

    /** Returns the same output that prints messages as JSON lines, like those of a log. */
    public CliOutput withJsonMessages() {
        return new CliOutput(this);
    }

    /**
     * Copies the output of another program to standard output or standard error: as text that is safe if that is a
     * terminal, else unchanged.
     */
    public void copy(byte[] bytes, boolean toErr) {
        if (toErr ? terminal.err() : terminal.out()) {
            PrintWriter writer = toErr ? err : out;
            writer.print((toErr ? safeErr : safeOut).decode(bytes));
            writer.flush();
        } else {
            copyRaw(bytes, toErr);
        }
    }

    /** Copies the output of another program unchanged, even to a terminal. */
    public void copyRaw(byte[] bytes, boolean toErr) {
        PrintStream raw = toErr ? rawErr : rawOut;
        if (raw != null) {
            raw.write(bytes, 0, bytes.length);
            raw.flush();
        } else {
            PrintWriter writer = toErr ? err : out;
            writer.print(new String(bytes, StandardCharsets.UTF_8));
            writer.flush();
        }
    }

    /** Returns the standard output. */
    public PrintWriter out() {
        return out;
    }

    /** Returns the standard error. */
    public PrintWriter err() {
        return err;
    }

    /** Returns what the terminal can show. */
    public Terminal terminal() {
        return terminal;
    }

    /** Prints a line of data to standard output. */
    public void print(String line) {
        out.println(Style.show(line, terminal.color()));
    }

    /** Prints a JSON document to standard output. */
    public void printJson(String document) {
        out.println(SafeText.json(document));
    }

    /** Prints a message for people to standard error. */
    public void info(String line) {
        if (jsonMessages) {
            err.println(SafeText.json(JsonLine.of(Instant.now(), "INFO", SafeText.line(line), Map.of())));
        } else {
            err.println(SafeText.line("heddle: " + line));
        }
    }

    /** Prints the message of an error to standard error, in red if that is a terminal with colors. */
    public void error(String line) {
        err.println(Style.show(Style.RED.apply(SafeText.line(line)), terminal.errColor()));
    }

    /** Clears the terminal, for output that replaces the last; does nothing if standard output is not one. */
    public void clear() {
        if (terminal.out()) {
            out.print("\u001b[H\u001b[2J");
            out.flush();
        }
    }

    /** Returns the text in the given style, which {@link #print} shows if color is on. */
    public String styled(Style style, String text) {
        return style.apply(text);
    }
}
