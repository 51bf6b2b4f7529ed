package dev.heddle.cli.shell;

import java.io.PrintWriter;

/** Where a command prints: data to standard output, talk to standard error. */
public final class Screen {

    private final PrintWriter out;
    private final PrintWriter err;
    private final Terminal terminal;

    public Screen(PrintWriter out, PrintWriter err, Terminal terminal) {
        this.out = out;
        this.err = err;
        this.terminal = terminal;
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
