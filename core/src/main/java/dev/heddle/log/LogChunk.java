package dev.heddle.log;

import java.util.List;

/**
 * Consecutive lines of one attempt, which are stored together.
 *
 * @param attempt the number of the attempt
 * @param lines at least one line, by number
 * @param last whether the attempt had ended, so no lines follow
 */
public record LogChunk(int attempt, List<LogLine> lines, boolean last) {

    /** Copies the lines. */
    public LogChunk {
        lines = List.copyOf(lines);
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("a chunk needs a line");
        }
    }

    /** Returns the number of its last line. */
    public long lastLine() {
        return lines.getLast().number();
    }
}
