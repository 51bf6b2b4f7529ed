package dev.heddle.log;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The stored lines of a job that a reader has not seen, by attempt and number, up to a bounded amount.
 *
 * @param lines the lines, also those that the query leaves out
 * @param complete whether there are no others now
 * @param ended the attempts whose last line is here
 */
record LogScan(List<LogLine> lines, boolean complete, Set<Integer> ended) {

    static final LogScan NOTHING = new LogScan(List.of(), true, Set.of());

    private static final int CHUNKS = 50;
    private static final int MOST_CHARACTERS = 2 << 20;

    static LogScan of(LogStore store, long seq, LogQuery query, LogCursor cursor) {
        Integer only = query.attempt();
        int first = only == null ? cursor.floor() : only;
        List<LogLine> lines = new ArrayList<>();
        Map<Integer, Long> seen = new HashMap<>();
        LogPosition from = new LogPosition(first, cursor.of(first).line() + 1);
        Set<Integer> ended = new HashSet<>();
        int matching = 0;
        long characters = 0;
        while (true) {
            List<LogChunk> chunks = store.chunks(seq, from, CHUNKS);
            boolean sought = false;
            for (LogChunk chunk : chunks) {
                if (only != null && chunk.attempt() != only) {
                    return new LogScan(lines, true, ended);
                }
                if (matching >= query.limit() || characters >= MOST_CHARACTERS) {
                    return new LogScan(lines, false, ended);
                }
                long known = seen.getOrDefault(chunk.attempt(), cursor.of(chunk.attempt()).line());
                from = new LogPosition(chunk.attempt(), Math.max(known, chunk.lastLine()) + 1);
                if (chunk.lastLine() <= known) {
                    sought = true;
                    break;
                }
                for (LogLine line : chunk.lines()) {
                    if (line.number() > known) {
                        lines.add(line);
                        matching += query.matches(line) ? 1 : 0;
                        characters += line.text().length();
                    }
                }
                seen.put(chunk.attempt(), chunk.lastLine());
                if (chunk.last()) {
                    ended.add(chunk.attempt());
                }
            }
            if (!sought && chunks.size() < CHUNKS) {
                return new LogScan(lines, true, ended);
            }
        }
    }
}
