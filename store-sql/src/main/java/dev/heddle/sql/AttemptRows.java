package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.heddle.job.Attempt;
import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code attempt}: attempts that are over and did not complete their job. The attempt that completed a job is
 * recorded in the job's row of {@code ended}; the view {@code every_attempt} has both.
 */
public final class AttemptRows {

    private static final String INSERT = """
            INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome, failure)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private AttemptRows() {}

    /** Records an attempt with the given outcome, which may differ from the one in the change. */
    public static void add(Tx tx, Change.Ended ended, Attempt.End end) throws SQLException {
        Change.Execution execution = ended.execution();
        tx.update(INSERT, ended.fence().seq(), ended.fence().attempt(), ended.fence().node(), execution.worker(),
                execution.assignedAt(), execution.startedAt(), execution.endedAt(), end,
                Json.text(execution.failure()));
    }

    /** Deletes the records of all but the last attempts of a job, and its history before them. */
    static void deleteOld(Tx tx, long seq, int last) throws SQLException {
        int old = last - Transition.Reschedule.KEPT_ATTEMPTS;
        if (old > 0) {
            LogRows.deleteOld(tx, seq, old);
        }
        if (old > 0 && tx.update("DELETE FROM heddle.attempt WHERE seq = ? AND number <= ?", seq, old) > 0) {
            tx.update("""
                    DELETE FROM heddle.history
                    WHERE seq = ? AND at < (SELECT min(ended_at) FROM heddle.attempt WHERE seq = ?)""", seq, seq);
        }
    }

    /** Returns how the attempt of this fence ended; null if the database has no record of its end. */
    static Attempt.@Nullable End recorded(Tx tx, Fence fence) throws SQLException {
        try (ResultSet rows = tx.query(
                "SELECT outcome FROM heddle.every_attempt WHERE seq = ? AND number = ? AND node = ?", fence.seq(),
                fence.attempt(), fence.node())) {
            return rows.next() ? Attempt.End.valueOf(rows.getString(1)) : null;
        }
    }
}
