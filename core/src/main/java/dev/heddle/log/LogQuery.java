package dev.heddle.log;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Which lines of a job's log to read. Immutable.
 *
 * @param attempt only the lines of this attempt; null for those of all
 * @param streams only the lines of these streams
 * @param level only lines of this level and higher ones
 * @param text only lines that contain this, upper or lower case; empty for all
 * @param cursor the {@link LogPage#next} of the page before; null for the first page
 * @param limit the most lines in the page
 */
public record LogQuery(@Nullable Integer attempt, Set<LogStream> streams, Level level, String text,
        @Nullable String cursor, int limit) {

    /** The most lines in a page. */
    public static final int MOST = 1_000;

    /** Checks the values and copies the streams. */
    public LogQuery {
        if (attempt != null && attempt < 1) {
            throw new IllegalArgumentException("attempt must be at least 1, not " + attempt);
        }
        streams = Set.copyOf(streams);
        Objects.requireNonNull(level, "level");
        Objects.requireNonNull(text, "text");
        if (limit < 1 || limit > MOST) {
            throw new IllegalArgumentException("limit must be from 1 to " + MOST + ", not " + limit);
        }
    }

    /** Returns a query for the first page of everything. */
    public static LogQuery all() {
        return new LogQuery(null, EnumSet.allOf(LogStream.class), Level.TRACE, "", null, MOST);
    }

    /** Returns a copy that reads one attempt. */
    public LogQuery attempt(int number) {
        return new LogQuery(number, streams, level, text, cursor, limit);
    }

    /** Returns a copy that reads some streams. */
    public LogQuery streams(Set<LogStream> some) {
        return new LogQuery(attempt, some, level, text, cursor, limit);
    }

    /** Returns a copy that reads lines of a level and higher ones. */
    public LogQuery level(Level lowest) {
        return new LogQuery(attempt, streams, lowest, text, cursor, limit);
    }

    /** Returns a copy that reads lines that contain a text. */
    public LogQuery text(String part) {
        return new LogQuery(attempt, streams, level, part, cursor, limit);
    }

    /** Returns a copy that reads the page that begins where another one ended. */
    public LogQuery after(String next) {
        return new LogQuery(attempt, streams, level, text, next, limit);
    }

    /** Returns a copy with another limit. */
    public LogQuery limit(int lines) {
        return new LogQuery(attempt, streams, level, text, cursor, lines);
    }

    boolean matches(LogLine line) {
        return (attempt == null || attempt == line.attempt()) && streams.contains(line.stream())
                && line.level().toInt() >= level.toInt() && (text.isEmpty()
                        || line.text().toLowerCase(Locale.ROOT).contains(text.toLowerCase(Locale.ROOT)));
    }
}
