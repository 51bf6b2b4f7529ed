package dev.heddle.external;

/** One line of what a worker writes. */
sealed interface Line {

    record Text(String text) implements Line {}

    /**
     * A line over the limit, which is not kept.
     *
     * @param start its first characters
     * @param bytes how long it is
     */
    record TooLong(String start, long bytes) implements Line {}
}
