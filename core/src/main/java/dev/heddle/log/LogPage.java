package dev.heddle.log;

import java.util.List;

/**
 * Lines of a job's log, oldest first.
 *
 * @param lines the lines; fewer than the limit of the query, even none, does not mean that none follow
 * @param next the cursor for the lines that follow, now or later
 * @param more whether lines may follow now
 * @param ended whether the job has ended and all its lines are in this page and those before
 */
public record LogPage(List<LogLine> lines, String next, boolean more, boolean ended) {

    /** Copies the lines. */
    public LogPage {
        lines = List.copyOf(lines);
    }
}
