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
import dev.heddle.sql.Session;
import dev.heddle.store.Fence;
import dev.heddle.store.Submission;
import org.jspecify.annotations.Nullable;

/**
 * The parents of jobs that are about to be stored. They are locked, so that none is deleted before the transaction with
 * its child ends, and none that spawns ends: who deletes or ends it then sees the child.
 */
record Parents(Map<JobId, Long> seqs, Set<Fence> held) {

    private static final String HOLD = """
            SELECT l.seq, l.attempt, l.node FROM unnest(?, ?, ?) AS i (seq, attempt, node) CROSS JOIN LATERAL (
                SELECT seq, attempt, node FROM heddle.live
                WHERE seq = i.seq AND attempt = i.attempt AND node = i.node AND state IN ('ASSIGNED', 'RUNNING')
                FOR KEY SHARE) l""";

    private static final String MARK = "UPDATE heddle.live SET has_children = TRUE WHERE NOT has_children AND seq = ANY (";

    static List<JobId> named(List<Submission> submissions) {
        return Inserts.jobs(submissions).stream().flatMap(job -> job.spec().parent().stream()).distinct()
                .toList();
    }

    /**
     * Marks them before a transaction that may stay open long, so that it need not hold the rows that their node writes.
     *
     * @return those that are marked now; the others are not there yet, or have ended
     */
    static Set<JobId> markAhead(Session session, List<JobId> ids) throws SQLException {
        Object wanted = new Table<>(ids).ids(id -> id);
        session.update(MARK + "ARRAY (SELECT seq FROM heddle.job WHERE id = ANY (?::uuid[])))", wanted);
        Set<JobId> marked = new HashSet<>();
        try (ResultSet rows = session.query("""
                SELECT j.id FROM heddle.job j JOIN heddle.live l ON l.seq = j.seq
                WHERE j.id = ANY (?::uuid[]) AND l.has_children""", wanted)) {
            while (rows.next()) {
                marked.add(JobId.of(rows.getString(1)));
            }
        }
        return marked;
    }

    /**
     * @param marked those that {@link #markAhead} has marked before this transaction
     */
    static Parents lock(Session session, List<Submission> submissions, Set<JobId> marked)
            throws SQLException {
        Parents parents = new Parents(new HashMap<>(), new HashSet<>());
        List<JobId> ids = named(submissions);
        if (ids.isEmpty()) {
            return parents;
        }
        try (ResultSet rows = session.query(
                "SELECT id, seq FROM heddle.job WHERE id = ANY (?::uuid[]) ORDER BY seq FOR KEY SHARE",
                (Object) new Table<>(ids).ids(id -> id))) {
            while (rows.next()) {
                parents.seqs.put(JobId.of(rows.getString(1)), rows.getLong(2));
            }
        }
        parents.hold(session,
                submissions.stream().map(Submission::spawner).filter(Objects::nonNull).toList());
        long[] unmarked = parents.seqs.entrySet().stream().filter(parent -> !marked.contains(parent.getKey()))
                .mapToLong(Map.Entry::getValue).toArray();
        if (unmarked.length > 0) {
            session.update(MARK + "?)", unmarked);
        }
        return parents;
    }

    private void hold(Session session, List<Fence> spawners) throws SQLException {
        Table<Fence> fences = new Table<>(spawners);
        try (ResultSet rows = session.query(HOLD, fences.longs(Fence::seq), fences.ints(Fence::attempt),
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

    /** Null for a job without a parent, and for one whose parent is stored with it. */
    @Nullable
    Long seqOf(JobSpec child) {
        JobId parent = child.extras().parent();
        return parent == null ? null : seqs.get(parent);
    }
}
