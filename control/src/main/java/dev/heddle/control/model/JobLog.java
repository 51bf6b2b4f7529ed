package dev.heddle.control.model;

import java.time.Instant;
import java.util.List;

/**
 * What happened to a job, as log lines.
 *
 * @param id the id of the job
 * @param lines oldest first
 */
public record JobLog(String id, List<Line> lines) {

    /**
     * One event in the life of a job.
     *
     * @param at when it happened
     * @param level INFO, WARN or ERROR
     * @param attempt the number of the attempt it belongs to; 0 if it belongs to none
     * @param text may contain several lines, such as a stack trace
     */
    public record Line(Instant at, String level, int attempt, String text) {}
}
