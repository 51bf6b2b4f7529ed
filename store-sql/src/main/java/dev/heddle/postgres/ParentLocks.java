package dev.heddle.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.sql.Tx;
import dev.heddle.store.Fence;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * Locks the parents of jobs that are about to be stored. Until the transaction with the children ends, no parent can be
 * deleted, and no attempt that spawns can end. A transaction that deletes or ends the parent then sees the children.
 *
 * @param seqs the numbers of the parents that exist
 * @param held the spawning attempts that still have their jobs
 */
record ParentLocks(Map<JobId, Long> seqs, Set<Fence> held) {

    private static final String HOLD = """
            SELECT l.seq, l.attempt, l.node FROM unnest(?, ?, ?) AS i (seq, attempt, node) CROSS JOIN LATERAL (
                SELECT seq, attempt, node FROM heddle.live
                WHERE seq = i.seq AND attempt = i.attempt AND node = i.node AND state IN ('ASSIGNED', 'RUNNING')
                FOR KEY SHARE) l""";

    private static final String MARK = "UPDATE heddle.live SET has_children = TRUE WHERE NOT has_children AND seq = ANY (";

    static List<JobId> parentsOf(List<Submission> submissions) {
        return Inserts.jobs(submissions).stream().flatMap(job -> job.spec().parent().stream()).distinct().toList();
    }

    /**
     * Marks parents before a transaction that may stay open for long, which then need not lock the rows that nodes
     * write.
     *
     * @return the marked parents; the others do not exist yet, or have ended
     */
    static Set<JobId> markAhead(Tx tx, List<JobId> ids) throws SQLException {
        Object wanted = new ArrayColumns<>(ids).ids(id -> id);
        tx.update(MARK + "ARRAY (SELECT seq FROM heddle.job WHERE id = ANY (?::uuid[])))", wanted);
        Set<JobId> marked = new HashSet<>();
        try (ResultSet rows = tx.query("""
                SELECT j.id FROM heddle.job j JOIN heddle.live l ON l.seq = j.seq
                WHERE j.id = ANY (?::uuid[]) AND l.has_children""", wanted)) {
            while (rows.next()) {
                marked.add(JobId.of(rows.getString(1)));
            }
        }
        return marked;
    }

    /**
     * Locks the parents of all submissions, and marks them.
     *
     * @param marked the parents that {@link #markAhead} has marked before this transaction
     */
    static ParentLocks lock(Tx tx, List<Submission> submissions, Set<JobId> marked) throws SQLException {
        ParentLocks parents = new ParentLocks(new HashMap<>(), new HashSet<>());
        List<JobId> ids = parentsOf(submissions);
        if (ids.isEmpty()) {
            return parents;
        }
        try (ResultSet rows = tx.query(
                "SELECT id, seq FROM heddle.job WHERE id = ANY (?::uuid[]) ORDER BY seq FOR KEY SHARE",
                (Object) new ArrayColumns<>(ids).ids(id -> id))) {
            while (rows.next()) {
                parents.seqs.put(JobId.of(rows.getString(1)), rows.getLong(2));
            }
        }
        parents.hold(tx, submissions.stream().map(Submission::spawner).filter(Objects::nonNull).toList());
        long[] unmarked = parents.seqs.entrySet().stream().filter(parent -> !marked.contains(parent.getKey()))
                .mapToLong(Map.Entry::getValue).toArray();
        if (unmarked.length > 0) {
            tx.update(MARK + "?)", unmarked);
        }
        return parents;
    }

    private void hold(Tx tx, List<Fence> spawners) throws SQLException {
        ArrayColumns<Fence> fences = new ArrayColumns<>(spawners);
        try (ResultSet rows = tx.query(HOLD, fences.longs(Fence::seq), fences.ints(Fence::attempt),
                fences.texts(Fence::node))) {
            while (rows.next()) {
                held.add(new Fence(rows.getLong(1), rows.getInt(2), rows.getString(3)));
            }
        }
    }

    boolean contains(JobId id) {
        return seqs.containsKey(id);
    }

    boolean isHeld(Fence attempt) {
        return held.contains(attempt);
    }

    /** Returns the number of the parent; null if the job has none, or is stored together with it. */
    @Nullable Long seqOf(JobSpec child) {
        JobId parent = child.extras().parent();
        return parent == null ? null : seqs.get(parent);
    }
}
