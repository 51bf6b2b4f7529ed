package dev.heddle.control.model;

import java.time.Duration;
import java.util.Set;

import dev.heddle.log.LogStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Selects a page of the log of a job.
 *
 * @param attempt only the lines of this attempt; null for those of all
 * @param streams only the lines of these streams; null for all
 * @param level only lines of this level and higher ones; null for all
 * @param text only lines that contain this, upper or lower case; null for all
 * @param cursor the cursor that the previous page returned; null for the first page
 * @param limit the most lines, from 1 to 1,000; null for 1,000
 * @param timeout how long to wait if there are no lines and the job has not ended; null for not at all
 */
public record JobLogQuery(@Nullable Integer attempt, @Nullable Set<LogStream> streams, @Nullable Level level,
        @Nullable String text, @Nullable String cursor, @Nullable Integer limit, @Nullable Duration timeout) {

    /** Selects the first page of everything. */
    public static final JobLogQuery ALL = new JobLogQuery(null, null, null, null, null, null, null);

    /** Returns a copy for the page after another one. */
    public JobLogQuery after(String next) {
        return new JobLogQuery(attempt, streams, level, text, next, limit, timeout);
    }

    /** Returns a copy with another limit. */
    public JobLogQuery limit(int lines) {
        return new JobLogQuery(attempt, streams, level, text, cursor, lines, timeout);
    }

    /** Returns a copy that waits for lines. */
    public JobLogQuery timeout(Duration atMost) {
        return new JobLogQuery(attempt, streams, level, text, cursor, limit, atMost);
    }
}
