package dev.heddle.log;

/**
 * A place in the log of a job, ordered by attempt and line.
 *
 * @param attempt the number of the attempt
 * @param line the number of a line
 */
public record LogPosition(int attempt, long line) implements Comparable<LogPosition> {

    /** The beginning of a log. */
    public static final LogPosition START = new LogPosition(0, 0);

    @Override
    public int compareTo(LogPosition other) {
        return attempt == other.attempt ? Long.compare(line, other.line) : Integer.compare(attempt, other.attempt);
    }
}
