package dev.heddle.cli.shell;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/** Prints data to standard output and messages for people to standard error. */
public final class CliOutput {

    private final PrintWriter out;
    private final PrintWriter err;
    private final Terminal terminal;
    private final @Nullable PrintStream rawOut;
    private final @Nullable PrintStream rawErr;

    /** Creates an output on writers, as tests use it. */
    public CliOutput(PrintWriter out, PrintWriter err, Terminal terminal) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.rawOut = null;
        this.rawErr = null;
    }

    /** Creates an output on the streams of this process, which also take raw bytes. */
    public CliOutput(PrintStream out, PrintStream err, Terminal terminal) {
        this.out = new PrintWriter(out, true, out.charset());
        this.err = new PrintWriter(err, true, err.charset());
        this.terminal = terminal;
        this.rawOut = out;
        this.rawErr = err;
    }

    /** Copies bytes of another program to standard output or standard error, unchanged. */
    public void copy(byte[] bytes, boolean toErr) {
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
        out.println(line);
    }

    /** Prints a message for people to standard error. */
    public void info(String line) {
        err.println("heddle: " + line);
    }

    /** Returns the text in the given style, or plain if color is off. */
    public String styled(Style style, String text) {
        return terminal.color() ? style.apply(text) : text;
    }

    /** Replaces control characters, which could change the terminal. Names and messages are not trusted. */
    public static String sanitize(String text) {
        return text.chars().noneMatch(Character::isISOControl) ? text
                : text.codePoints().map(c -> Character.isISOControl(c) ? c == '\n' || c == '\t' ? ' ' : '?' : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString();
    }
}
