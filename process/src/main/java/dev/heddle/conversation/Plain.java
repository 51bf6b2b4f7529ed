package dev.heddle.conversation;

import java.util.Arrays;

/**
 * Text as it may be shown. An agent repeats what it reads on the internet, so nothing of it may reach a terminal that
 * could move its cursor, change its title or paint over what was there.
 */
final class Plain {

    private Plain() {}

    /** Without control characters, but line ends and tabs, and without what turns the order of letters around. */
    static String text(String text) {
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().filter(c -> c == '\n' || c == '\t' || !(Character.isISOControl(c) || isMark(c)))
                .forEach(plain::appendCodePoint);
        return plain.toString();
    }

    /** Direction marks, which make text read as what it is not. */
    private static boolean isMark(int c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069)
                || Character.getType(c) == Character.SURROGATE;
    }

    /** The first lines, and how many there are besides. */
    static String beginning(String text, int lines) {
        String[] all = text.strip().split("\n", -1);
        if (all.length <= lines) {
            return text.strip();
        }
        return String.join("\n", Arrays.copyOf(all, lines)) + "\n… " + (all.length - lines) + " more lines";
    }
}
