package dev.heddle.output;

import java.util.function.IntUnaryOperator;

/**
 * Makes text of others safe to display: names, messages, and the output of processes and agents. Control characters
 * could move a terminal's cursor, read or set its clipboard, or have it type an answer, and characters that change the
 * direction of text could make it read as something else.
 */
public final class SafeText {

    private static final int REPLACEMENT = '?';

    private SafeText() {}

    /** Returns the text on one line: line breaks and tabs become spaces, other control characters question marks. */
    public static String line(String text) {
        return map(text, SafeText::inLine);
    }

    /**
     * Returns the text with its lines and tabs. A carriage return, which would overwrite a line, begins a new one.
     */
    public static String of(String text) {
        return map(text.replace("\r\n", "\n"), c -> switch (c) {
            case '\n', '\t' -> c;
            case '\r' -> '\n';
            default -> inLine(c);
        });
    }

    /**
     * Returns a JSON document with the same content and nothing unsafe in it: its strings have escapes instead. Below a
     * space, they have them already, and what is left is the layout of the document.
     */
    public static String json(String document) {
        StringBuilder safe = new StringBuilder(document.length());
        document.chars().forEach(c -> {
            if (c < ' ' || c == inLine(c) || Character.isSurrogate((char) c)) {
                safe.append((char) c);
            } else {
                safe.append(String.format("\\u%04x", c));
            }
        });
        return safe.toString();
    }

    /** Returns what stands for a character within a line. */
    public static int inLine(int c) {
        return switch (c) {
            case '\n', '\r', '\t' -> ' ';
            default -> Character.isISOControl(c) || isMisleading(c) ? REPLACEMENT : c;
        };
    }

    /** Whether this overrides the direction of text, is half a character, or is no character at all. */
    private static boolean isMisleading(int c) {
        return (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069) || (c >= 0xFDD0 && c <= 0xFDEF)
                || Character.getType(c) == Character.SURROGATE;
    }

    private static String map(String text, IntUnaryOperator safe) {
        return text.codePoints().allMatch(c -> safe.applyAsInt(c) == c) ? text
                : text.codePoints().map(safe).collect(StringBuilder::new, StringBuilder::appendCodePoint,
                        StringBuilder::append).toString();
    }
}
