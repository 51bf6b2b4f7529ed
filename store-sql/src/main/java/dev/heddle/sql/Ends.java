package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** Moves single jobs from {@code live} to {@code ended}. */
final class Ends {

    private Ends() {}

    /** Returns its parent; null where it has none. */
    static @Nullable Long move(Session session, long seq, JobState state, String reason, Instant at)
            throws SQLException {
        session.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, ?, ?, attempt, failures, crashes, ?, phase FROM heddle.live WHERE seq = ?""",
                state, at, reason, seq);
        return remove(session, seq);
    }

    /** Takes a job from those at work; returns its parent, null where it has none. */
    static @Nullable Long remove(Session session, long seq) throws SQLException {
        try (ResultSet row = session.query("DELETE FROM heddle.live WHERE seq = ? RETURNING parent", seq)) {
            return row.next() ? Rows.number(row, 1) : null;
        }
    }

    /** The attempt of a job that was cancelled while it ran is over; the reason was kept on its row. */
    static @Nullable Long cancelled(Session session, long seq, Instant at) throws SQLException {
        session.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason, phase)
                SELECT seq, 'CANCELLED', ?, attempt, failures, crashes, reason, phase
                FROM heddle.live WHERE seq = ?""", at, seq);
        return remove(session, seq);
    }
}
