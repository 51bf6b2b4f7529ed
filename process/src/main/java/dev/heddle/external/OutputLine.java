package dev.heddle.external;

/** One line of a worker's output. */
sealed interface OutputLine {

    /** A line within the limit. */
    record Text(String text) implements OutputLine {}

    /**
     * A line over the limit, of which only the start is kept.
     *
     * @param start its first characters
     * @param bytes its full length
     */
    record TooLong(String start, long bytes) implements OutputLine {}
}
