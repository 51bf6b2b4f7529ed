package dev.heddle.conversation;

/**
 * Counts of tokens. The four counts do not overlap, whatever the vendor's own counts do.
 *
 * @param input tokens read, and neither written to nor read from the cache
 * @param cacheWrite tokens read and written to the cache
 * @param cacheRead tokens read from the cache
 * @param output tokens written, including reasoning
 */
public record Tokens(long input, long cacheWrite, long cacheRead, long output) {

    /** No tokens. */
    public static final Tokens NONE = new Tokens(0, 0, 0, 0);

    /** Returns the sum of all four counts. */
    public long total() {
        return input + cacheWrite + cacheRead + output;
    }

    /** Returns the sum of both, count by count. */
    public Tokens plus(Tokens other) {
        return new Tokens(input + other.input, cacheWrite + other.cacheWrite, cacheRead + other.cacheRead,
                output + other.output);
    }

    /** Returns the difference, count by count. Counts may become negative. */
    public Tokens minus(Tokens other) {
        return new Tokens(input - other.input, cacheWrite - other.cacheWrite, cacheRead - other.cacheRead,
                output - other.output);
    }

    /** Tells whether no count is smaller than the other's. */
    boolean isAtLeast(Tokens other) {
        return input >= other.input && cacheWrite >= other.cacheWrite && cacheRead >= other.cacheRead
                && output >= other.output;
    }
}
