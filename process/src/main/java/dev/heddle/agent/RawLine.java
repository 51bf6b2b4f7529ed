package dev.heddle.agent;

/**
 * A line that an agent wrote.
 *
 * @param text the line without its line end
 * @param bytes the length of the line in the file
 * @param form how much of the line {@code text} contains
 */
record RawLine(String text, long bytes, Form form) {

    enum Form {
        WHOLE,
        /** The line was too long; its long strings are truncated. */
        TRUNCATED,
        /** The line was too long and is not JSON; only its beginning is there. */
        PREFIX
    }
}
