package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Instant;

import dev.heddle.job.JobState;

/** Moves single jobs from {@code live} to {@code ended}. */
final class Ends {

    private Ends() {}

    static void move(Session session, long seq, JobState state, String reason, Instant at)
            throws SQLException {
        session.update("""
                INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason)
                SELECT seq, ?, ?, attempt, failures, crashes, ? FROM heddle.live WHERE seq = ?""", state, at,
                reason, seq);
        session.update("DELETE FROM heddle.live WHERE seq = ?", seq);
    }

    /** The attempt of a job that was cancelled while it ran is over; the reason was kept on its row. */
    static void cancelled(Session session, long seq, Instant at) throws SQLException {
        session.update(
                """
                        INSERT INTO heddle.ended (seq, state, ended_at, attempt, failures, crashes, reason)
                        SELECT seq, 'CANCELLED', ?, attempt, failures, crashes, reason FROM heddle.live WHERE seq = ?""",
                at, seq);
        session.update("DELETE FROM heddle.live WHERE seq = ?", seq);
    }
}
