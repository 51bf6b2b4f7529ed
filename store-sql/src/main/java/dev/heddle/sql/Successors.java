package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import dev.heddle.dedupe.DedupeRules;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.store.Change;
import dev.heddle.store.FamilyReasons;
import dev.heddle.store.Fence;
import dev.heddle.store.Submission;

/**
 * Jobs that wait for the end of another with their dedupe key. A trigger releases one when the row of the other is
 * deleted from {@code live}.
 */
public final class Successors {

    /**
     * Follows the conditions of a statement that has a job wait to run again: a job that may have a successor takes
     * another way, because two jobs of a key would wait then.
     */
    public static final String NONE = " AND NOT (has_successor AND phase IS NULL)";

    private Successors() {}

    /** Has a job wait for the end of another. */
    static void putBehind(Tx tx, JobId successor, long older, Lanes.Lane lane) throws SQLException {
        tx.update("""
                UPDATE heddle.live SET behind = ?, limit_group = NULL,
                       lane = (SELECT id FROM heddle.lane WHERE queue = ? AND type = ? AND NOT suspect)
                WHERE seq = (SELECT seq FROM heddle.job WHERE id = ?)""", older, lane.queue(), lane.type(), successor);
    }

    /** Notes the same of all held jobs whose keys these submissions have, because a later transaction must not lock them. */
    public static int markHeld(Tx tx, List<Submission> submissions) throws SQLException {
        List<String> keys = submissions.stream().flatMap(submission -> submission.jobs().stream())
                .filter(job -> !job.spec().dedupe().isDefault()).map(job -> AdmissionControl.key(job.spec()))
                .filter(Objects::nonNull).toList();
        return tx.update("UPDATE heddle.live SET has_successor = TRUE WHERE node IS NOT NULL AND NOT has_successor"
                + " AND dedupe" + tx.dialect().anyOf(), new TextList(keys));
    }

    /** Notes that the end of a job has to release a successor. */
    static void mark(Tx tx, long older) throws SQLException {
        tx.update("UPDATE heddle.live SET has_successor = TRUE WHERE seq = ? AND NOT has_successor", older);
    }

    /**
     * Clears the mark of the job of a change if its successor is gone, so that the change can be written. Returns
     * whether it was so.
     */
    public static boolean unmark(Tx tx, Change change) throws SQLException {
        Fence fence = change.fence();
        return change.letsJobWait() && tx.update("""
                UPDATE heddle.live SET has_successor = FALSE
                WHERE seq = ? AND attempt = ? AND node = ? AND state IN ('ASSIGNED', 'RUNNING') AND has_successor
                  AND NOT EXISTS (SELECT 1 FROM heddle.live s WHERE s.behind = ?)""", fence.seq(), fence.attempt(),
                fence.node(), fence.seq()) == 1;
    }

    private record Succession(long older, JobId successor, JobState state) {}

    private static List<Succession> among(Tx tx, SeqList jobs) throws SQLException {
        List<Succession> found = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT l.seq, j.id, l.state FROM heddle.live l JOIN heddle.live s ON s.behind = l.seq
                JOIN heddle.job j ON j.seq = s.seq
                WHERE l.has_successor AND l.phase IS NULL AND l.seq""" + tx.dialect().anyOf() + " ORDER BY l.seq",
                jobs)) {
            while (rows.next()) {
                found.add(new Succession(rows.getLong(1), JobId.of(rows.getString(2)),
                        Rows.liveState(rows.getString(3))));
            }
        }
        return found;
    }

    /** Cancels a job that would wait to run again, because its successor takes its place. Returns whether it has one. */
    static boolean cancelHeld(Tx tx, Change change, FamilyChanges families) throws SQLException {
        if (!change.letsJobWait()) {
            return false;
        }
        Fence fence = change.fence();
        for (Succession one : among(tx, new SeqList(List.of(fence.seq())))) {
            String reason = DedupeRules.gaveWayTo(one.successor);
            Instant at = tx.now();
            HistoryRows.add(tx, one.older, one.state, JobState.CANCELLED, reason, fence.node(), at);
            CountRows.move(tx, List.of(one.older), JobState.CANCELLED);
            tx.update("UPDATE heddle.live SET state = 'CANCELLED', reason = ? WHERE seq = ?", reason, one.older);
            families.cancelChildren(tx, List.of(one.older), FamilyReasons.PARENT_CANCELLED, fence.node(), at);
            families.cancelled(fence.node());
            return true;
        }
        return false;
    }

    /** Ends those of recovered jobs that have a successor. */
    static void endRecovered(Tx tx, SeqList jobs, String actor, Instant at, FamilyChanges families)
            throws SQLException {
        for (Succession one : among(tx, jobs)) {
            String reason = DedupeRules.gaveWayTo(one.successor);
            HistoryRows.add(tx, one.older, one.state, JobState.CANCELLED, reason, actor, at);
            families.cancelChildren(tx, List.of(one.older), FamilyReasons.PARENT_CANCELLED, actor, at);
            CountRows.move(tx, List.of(one.older), JobState.CANCELLED);
            families.childEnded(EndedRows.move(tx, one.older, JobState.CANCELLED, reason, at), actor, at);
            families.cancelled(null);
        }
    }

    /**
     * Releases jobs that wait for the end of one that has ended: a transaction of an application put them there while
     * it ended. Returns how many there were.
     */
    static int releaseOverlooked(Tx tx) throws SQLException {
        return tx.update(
                """
                        UPDATE heddle.live SET behind = NULL, state = state,
                            dedupe = (SELECT j.type || ? || j.dedupe_key FROM heddle.job j WHERE j.seq = live.seq),
                            limit_group = (SELECT j.limit_group FROM heddle.job j WHERE j.seq = live.seq),
                            lane = (SELECT lane.id FROM heddle.job j JOIN heddle.lane ON lane.queue = j.queue AND NOT lane.suspect
                                        AND lane.type = j.type || CASE WHEN j.limit_group IS NULL THEN '' ELSE ? END
                                    WHERE j.seq = live.seq)
                        WHERE behind IS NOT NULL AND NOT EXISTS (SELECT 1 FROM heddle.live o WHERE o.seq = live.behind)""",
                AdmissionControl.SEPARATOR, Lanes.limited(""));
    }
}
