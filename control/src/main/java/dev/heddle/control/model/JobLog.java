package dev.heddle.control.model;

import java.time.Instant;
import java.util.List;

import dev.heddle.log.LogStream;

/**
 * A page of the log of a job: what its handler logged and its processes wrote in all attempts, and what happened to it.
 *
 * @param id the id of the job
 * @param lines oldest first
 * @param next the cursor for the lines that follow, now or later
 * @param more whether lines may follow now
 * @param ended whether the job has ended, and no line follows
 */
public record JobLog(String id, List<Line> lines, String next, boolean more, boolean ended) {

    /**
     * A line of the log.
     *
     * @param at when it was written, or when it happened
     * @param level TRACE, DEBUG, INFO, WARN or ERROR
     * @param attempt the number of the attempt it belongs to; 0 if it belongs to none
     * @param stream where it comes from
     * @param text may contain several lines, such as a stack trace, and control characters
     */
    public record Line(Instant at, String level, int attempt, LogStream stream, String text) {}
}
