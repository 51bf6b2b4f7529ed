package dev.heddle.cli.shell;

import java.util.Map;

/**
 * What may be shown where the output goes.
 *
 * @param out whether a person reads the standard output
 * @param err whether a person reads the standard error
 * @param colour whether that person wants colour
 * @param width the most characters of a line on standard output
 */
public record Terminal(boolean out, boolean err, boolean colour, int width) {

    /** Where nobody watches: plain lines of any length. */
    public static final Terminal NONE = new Terminal(false, false, false, Integer.MAX_VALUE);

    private static final int STANDARD_WIDTH = 80;
    private static final int LEAST_WIDTH = 40;

    /** The launcher knows best and says so in {@code HEDDLE_TERMINAL}; otherwise the console decides. */
    public static Terminal of(Map<String, String> environment, boolean console) {
        String told = environment.getOrDefault("HEDDLE_TERMINAL", console ? "out err" : "");
        boolean out = told.contains("out");
        boolean err = told.contains("err");
        return new Terminal(out, err, showsColour(environment, out),
                out ? width(environment) : Integer.MAX_VALUE);
    }

    /** Colour is for people at a terminal who have not asked to be spared it (no-color.org). */
    static boolean showsColour(Map<String, String> environment, boolean terminal) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb")
                && terminal;
    }

    private static int width(Map<String, String> environment) {
        try {
            return Math.max(LEAST_WIDTH, Integer.parseInt(environment.getOrDefault("COLUMNS", "")));
        } catch (NumberFormatException e) {
            return STANDARD_WIDTH;
        }
    }
}
