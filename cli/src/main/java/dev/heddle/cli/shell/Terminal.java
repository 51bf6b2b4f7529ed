package dev.heddle.cli.shell;

import java.util.Map;

/** What may be shown where the output goes. */
public final class Terminal {

    private Terminal() {}

    /** Colour is for people at a terminal who have not asked to be spared it (no-color.org). */
    public static boolean showsColour(Map<String, String> environment, boolean terminal) {
        return environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb")
                && terminal;
    }
}
