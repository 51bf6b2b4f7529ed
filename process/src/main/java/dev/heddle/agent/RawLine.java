package dev.heddle.agent;

/**
 * A line that an agent wrote.
 *
 * @param text without its end
 * @param bytes how long it is in the file
 */
record RawLine(String text, long bytes, Form form) {

    enum Form {
        WHOLE,
        /** Longer than one would load: its long strings are shortened. */
        ABRIDGED,
        /** Longer than one would load, and no JSON that could be shortened: only its beginning. */
        BEGINNING
    }
}
