package dev.heddle.conversation;

/**
 * What a model read and wrote. The four do not overlap, whatever the vendor's own counts do.
 *
 * @param input read anew
 * @param cacheWrite read anew and kept for later
 * @param cacheRead read from what was kept
 * @param output written, thoughts too
 */
public record Tokens(long input, long cacheWrite, long cacheRead, long output) {

    public static final Tokens NONE = new Tokens(0, 0, 0, 0);

    public long total() {
        return input + cacheWrite + cacheRead + output;
    }

    public Tokens plus(Tokens more) {
        return new Tokens(input + more.input, cacheWrite + more.cacheWrite, cacheRead + more.cacheRead,
                output + more.output);
    }

    public Tokens minus(Tokens less) {
        return new Tokens(input - less.input, cacheWrite - less.cacheWrite, cacheRead - less.cacheRead,
                output - less.output);
    }

    boolean covers(Tokens other) {
        return input >= other.input && cacheWrite >= other.cacheWrite && cacheRead >= other.cacheRead
                && output >= other.output;
    }
}
