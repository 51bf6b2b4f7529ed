package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Moves single jobs from {@code live} to {@code ended}. Each method returns the number of the job's parent, if it has
 * one.
 */
final class EndedRows {

    private EndedRows() {}

    static @Nullable Long move(Tx tx, long seq, JobState state, String reason, Instant at) throws SQLException {
        tx.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, ?, ?, attempt, failures, crashes, ?, phase FROM heddle.live WHERE seq = ?""", state, at,
                reason, seq);
        return removeLive(tx, seq);
    }

    /** Moves a job whose attempt is over and that was cancelled while it ran. Its live row has the reason. */
    static @Nullable Long moveCancelled(Tx tx, long seq, Instant at) throws SQLException {
        tx.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, 'CANCELLED', ?, attempt, failures, crashes, reason, phase
                FROM heddle.live WHERE seq = ?""", at, seq);
        return removeLive(tx, seq);
    }

    static @Nullable Long removeLive(Tx tx, long seq) throws SQLException {
        try (ResultSet row = tx.query("DELETE FROM heddle.live WHERE seq = ? RETURNING parent", seq)) {
            return row.next() ? Rows.number(row, 1) : null;
        }
    }
}
