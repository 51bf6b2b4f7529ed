package dev.heddle.cli.shell;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

import org.jspecify.annotations.Nullable;

/** Where a command prints: data to standard output, talk to standard error. */
public final class Screen {

    private final PrintWriter out;
    private final PrintWriter err;
    private final Terminal terminal;
    private final @Nullable PrintStream rawOut;
    private final @Nullable PrintStream rawErr;

    public Screen(PrintWriter out, PrintWriter err, Terminal terminal) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
        this.rawOut = null;
        this.rawErr = null;
    }

    /** On the streams of a process, which can also take bytes as they are. */
    public Screen(PrintStream out, PrintStream err, Terminal terminal) {
        this.out = new PrintWriter(out, true, out.charset());
        this.err = new PrintWriter(err, true, err.charset());
        this.terminal = terminal;
        this.rawOut = out;
        this.rawErr = err;
    }

    /** Bytes of another program, to the same stream that it wrote them to. */
    public void pass(byte[] bytes, boolean toErr) {
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

    public PrintWriter out() {
        return out;
    }

    public PrintWriter err() {
        return err;
    }

    public Terminal terminal() {
        return terminal;
    }

    /** A line of data. */
    public void print(String line) {
        out.println(line);
    }

    /** A line for people, which no script has to read past. */
    public void say(String line) {
        err.println("heddle: " + line);
    }

    /** The text as it may stand out; plain where nobody sees colour. */
    public String styled(Style style, String text) {
        return terminal.colour() ? style.apply(text) : text;
    }

    /**
     * The text without what could move the cursor or change the terminal: names and messages come from anywhere.
     */
    public static String harmless(String text) {
        return text.chars().noneMatch(Character::isISOControl) ? text
                : text.codePoints()
                        .map(c -> Character.isISOControl(c) ? c == '\n' || c == '\t' ? ' ' : '?' : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }
}
