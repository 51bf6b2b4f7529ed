package dev.heddle.store;

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

/** Which jobs of a {@link MemoryTable} are whose children. */
final class MemoryLineage {

    private static final Comparator<MemoryRow> BY_SEQ = Comparator.comparingLong(row -> row.seq);

    private final Map<JobId, NavigableSet<MemoryRow>> children = new HashMap<>();
    /** Those that have not ended. */
    private final Map<Long, NavigableSet<MemoryRow>> atWork = new HashMap<>();

    void born(MemoryRow row) {
        row.spec.parent().ifPresent(parent -> put(children, parent, row));
    }

    void forgotten(MemoryRow row) {
        row.spec.parent().ifPresent(parent -> take(children, parent, row));
    }

    void works(MemoryRow row) {
        if (row.parentSeq != null) {
            put(atWork, row.parentSeq, row);
        }
    }

    void rests(MemoryRow row) {
        if (row.parentSeq != null) {
            take(atWork, row.parentSeq, row);
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

    /** The children of a job that have not ended, by seq. */
    Set<MemoryRow> atWork(MemoryRow parent) {
        return atWork.getOrDefault(parent.seq, Collections.emptyNavigableSet());
    }

    /** How many children a job has in each state. */
    Map<JobState, Long> count(JobId parent) {
        Map<JobState, Long> counts = new EnumMap<>(JobState.class);
        children.getOrDefault(parent, Collections.emptyNavigableSet())
                .forEach(child -> counts.merge(child.state, 1L, Long::sum));
        return counts;
    }
}
