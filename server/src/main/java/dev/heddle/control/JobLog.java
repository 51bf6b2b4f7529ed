package dev.heddle.control;

import java.time.Instant;
import java.util.List;

/** How a job went, as lines, oldest first. */
public record JobLog(String id, List<Line> lines) {

    /**
     * One thing that happened.
     *
     * @param level INFO, WARN or ERROR
     * @param attempt the attempt it belongs to; 0 where it belongs to none
     * @param text may have more than one line, such as a stack trace
     */
    public record Line(Instant at, String level, int attempt, String text) {}
}
