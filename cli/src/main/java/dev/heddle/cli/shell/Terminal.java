package dev.heddle.cli.shell;

import java.util.Map;

/**
 * What the terminal can show.
 *
 * @param out whether standard output is a terminal
 * @param err whether standard error is a terminal
 * @param color whether to print colors to standard output
 * @param width the number of columns of standard output
 * @param errColor whether to print colors to standard error
 */
public record Terminal(boolean out, boolean err, boolean color, int width, boolean errColor) {

    /** No terminal: plain lines of any length. */
    public static final Terminal NONE = new Terminal(false, false, false, Integer.MAX_VALUE);

    private static final int DEFAULT_WIDTH = 80;
    private static final int MIN_WIDTH = 40;

    /** Creates a terminal with the same colors for both streams. */
    public Terminal(boolean out, boolean err, boolean color, int width) {
        this(out, err, color, width, color && err);
    }

    /**
     * Reads the terminal from {@code HEDDLE_TERMINAL}, which the launcher sets because Java cannot test the streams one
     * by one. Without the variable, both streams count as terminals if the JVM has a console.
     */
    public static Terminal of(Map<String, String> environment, boolean console) {
        String streams = environment.getOrDefault("HEDDLE_TERMINAL", console ? "out err" : "");
        boolean out = streams.contains("out");
        boolean err = streams.contains("err");
        return new Terminal(out, err, showsColor(environment, out), out ? width(environment) : Integer.MAX_VALUE,
                showsColor(environment, err));
    }

    /** Returns whether to print colors; {@code NO_COLOR} turns them off (no-color.org). */
    static boolean showsColor(Map<String, String> environment, boolean terminal) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb") && terminal;
    }

    private static int width(Map<String, String> environment) {
        try {
            return Math.max(MIN_WIDTH, Integer.parseInt(environment.getOrDefault("COLUMNS", "")));
        } catch (NumberFormatException e) {
            return DEFAULT_WIDTH;
        }
    }
}
