package dev.heddle.conversation;

import java.util.Arrays;

/**
 * Makes text safe to display. Agents repeat what they read on the internet, and control characters could move a
 * terminal's cursor, change its title, or overwrite what it shows.
 */
final class SafeText {

    private SafeText() {}

    /** Removes control characters except newlines and tabs, and characters that change the text direction. */
    static String of(String text) {
        StringBuilder safe = new StringBuilder(text.length());
        text.codePoints().filter(c -> c == '\n' || c == '\t' || !(Character.isISOControl(c) || isMisleading(c)))
                .forEach(safe::appendCodePoint);
        return safe.toString();
    }

    /** Direction overrides can make text read as something else; lone surrogates are not characters. */
    private static boolean isMisleading(int c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)
                || Character.getType(c) == Character.SURROGATE;
    }

    /** Returns the first lines, followed by the number of lines that were left out. */
    static String firstLines(String text, int lines) {
        String[] all = text.strip().split("\n", -1);
        if (all.length <= lines) {
            return text.strip();
        }
        return String.join("\n", Arrays.copyOf(all, lines)) + "\n… " + (all.length - lines) + " more lines";
    }
}
