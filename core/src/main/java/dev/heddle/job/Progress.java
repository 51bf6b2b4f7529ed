package dev.heddle.job;

/**
 * How far an attempt is, as its handler reported it.
 *
 * @param current how much is done; not negative
 * @param total how much there is to do; 0 if unknown
 * @param message a short text for people; may be empty; cut after {@value Limits#PROGRESS} characters
 */
public record Progress(long current, long total, String message) {

    /** Checks the values. */
    public Progress {
        if (current < 0 || total < 0) {
            throw new IllegalArgumentException("progress must not be negative: " + current + " of " + total);
        }
        message = Limits.cut(message, Limits.PROGRESS);
    }
}
