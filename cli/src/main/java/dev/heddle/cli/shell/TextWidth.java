package dev.heddle.cli.shell;

/** Measures and cuts text by the columns that a terminal needs for it. */
final class TextWidth {

    private static final String ELLIPSIS = "…";

    private TextWidth() {}

    /** Returns how many columns the text takes. */
    static int of(String text) {
        return text.codePoints().map(TextWidth::of).sum();
    }

    private static int of(int c) {
        return switch (Character.getType(c)) {
            case Character.NON_SPACING_MARK, Character.ENCLOSING_MARK, Character.FORMAT -> 0;
            default -> isWide(c) ? 2 : 1;
        };
    }

    /** Returns whether a terminal draws the character twice as wide: East Asian letters and most emoji. */
    private static boolean isWide(int c) {
        return c >= 0x1100 && (c <= 0x115F || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3)
                || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60)
                || (c >= 0xFFE0 && c <= 0xFFE6) || (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD));
    }

    /** Returns the text, or its beginning and an ellipsis if it takes more columns than this. */
    static String cut(String text, int width) {
        if (of(text) <= width) {
            return text;
        }
        StringBuilder kept = new StringBuilder();
        int used = 1; // the ellipsis
        for (int i = 0; i < text.length();) {
            int c = text.codePointAt(i);
            used += of(c);
            if (used > width) {
                break;
            }
            kept.appendCodePoint(c);
            i += Character.charCount(c);
        }
        return kept + ELLIPSIS;
    }
}
