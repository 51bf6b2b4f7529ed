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

    static Parents lock(Session session, List<Submission> submissions) throws SQLException {
        Parents parents = new Parents(new HashMap<>(), new HashSet<>());
        List<JobId> ids = submissions.stream().flatMap(submission -> submission.jobs().stream())
                .flatMap(job -> job.spec().parent().stream()).distinct().toList();
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
        session.update("UPDATE heddle.live SET has_children = TRUE WHERE seq = ANY (?) AND NOT has_children",
                parents.seqs.values().stream().mapToLong(Long::longValue).toArray());
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
