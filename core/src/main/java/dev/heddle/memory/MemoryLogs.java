package dev.heddle.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;

import dev.heddle.log.LogChunk;
import dev.heddle.log.LogPosition;
import dev.heddle.log.LogStore.Append;
import dev.heddle.store.Fence;
import org.jspecify.annotations.Nullable;

/** The logs of the jobs in a {@link MemoryStore}, which are kept in their rows. */
final class MemoryLogs {

    private final MemoryTable table;

    MemoryLogs(MemoryTable table) {
        this.table = table;
    }

    List<Boolean> append(List<Append> chunks) {
        List<Boolean> stored = new ArrayList<>(chunks.size());
        for (Append append : chunks) {
            @Nullable MemoryRow row = table.find(append.fence().seq());
            if (row != null && (row.isHeldUnder(append.fence()) || endedByItself(row, append.fence()))) {
                add(row, append);
                stored.add(true);
            } else {
                stored.add(false);
            }
        }
        return stored;
    }

    /** What ends the attempts of a dead node does not know their workers. */
    private static boolean endedByItself(MemoryRow row, Fence fence) {
        return row.attempts.stream().anyMatch(attempt -> attempt.number() == fence.attempt()
                && attempt.node().equals(fence.node()) && !attempt.worker().isEmpty());
    }

    private static void add(MemoryRow row, Append append) {
        int attempt = append.fence().attempt();
        NavigableMap<LogPosition, LogChunk> log = row.log();
        if (append.dropThrough() > 0) {
            log.subMap(new LogPosition(attempt, append.dropAfter()), false,
                    new LogPosition(attempt, append.dropThrough()), true).clear();
        }
        log.put(new LogPosition(attempt, append.chunk().lastLine()), append.chunk());
    }

    List<LogChunk> chunks(long seq, LogPosition from, int limit) {
        @Nullable MemoryRow row = table.find(seq);
        return row == null ? List.of() : row.log().tailMap(from, true).values().stream().limit(limit).toList();
    }
}
