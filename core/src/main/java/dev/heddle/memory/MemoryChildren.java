package dev.heddle.memory;

import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;

import dev.heddle.job.JobId;
import dev.heddle.job.JobState;

/** Indexes the jobs of a {@link MemoryTable} by their parents. */
final class MemoryChildren {

    private static final Comparator<MemoryRow> BY_SEQ = Comparator.comparingLong(row -> row.seq);

    private final Map<JobId, NavigableSet<MemoryRow>> children = new HashMap<>();
    /** Those that have not ended. */
    private final Map<Long, NavigableSet<MemoryRow>> live = new HashMap<>();

    void add(MemoryRow row) {
        row.spec.parent().ifPresent(parent -> put(children, parent, row));
    }

    void remove(MemoryRow row) {
        row.spec.parent().ifPresent(parent -> take(children, parent, row));
    }

    void addLive(MemoryRow row) {
        if (row.parentSeq != null) {
            put(live, row.parentSeq, row);
        }
    }

    void removeLive(MemoryRow row) {
        if (row.parentSeq != null) {
            take(live, row.parentSeq, row);
        }
    }

    private static <K> void put(Map<K, NavigableSet<MemoryRow>> families, K parent, MemoryRow child) {
        families.computeIfAbsent(parent, _ -> new TreeSet<>(BY_SEQ)).add(child);
    }

    private static <K> void take(Map<K, NavigableSet<MemoryRow>> families, K parent, MemoryRow child) {
        families.computeIfPresent(parent, (_, rows) -> {
            rows.remove(child);
            return rows.isEmpty() ? null : rows;
        });
    }

    /** Returns the children of a job that have not ended, in the order of submission. */
    Set<MemoryRow> live(MemoryRow parent) {
        return live.getOrDefault(parent.seq, Collections.emptyNavigableSet());
    }

    /** Returns how many children a job has in each state. */
    Map<JobState, Long> count(JobId parent) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        children.getOrDefault(parent, Collections.emptyNavigableSet())
                .forEach(child -> counts.merge(child.state, 1L, Long::sum));
        return counts;
    }
}
