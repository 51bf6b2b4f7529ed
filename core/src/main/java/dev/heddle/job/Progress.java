package dev.heddle.job;

/**
 * How far an attempt says it has come.
 *
 * @param current done so far
 * @param total of how many; 0 where unknown
 * @param message a word for people, may be empty
 */
public record Progress(long current, long total, String message) {

    public Progress {
        if (current < 0 || total < 0) {
            throw new IllegalArgumentException("progress must not be negative: " + current + " of " + total);
        }
    }
}
