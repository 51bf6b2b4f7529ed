package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Instant;

import dev.heddle.job.JobState;

/** The rows of changes off the ordinary way. */
public final class History {

    private History() {}

    public static void add(Session session, long seq, JobState from, JobState to, String reason, String actor,
            Instant at)
            throws SQLException {
        session.update(
                """
                        INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at) VALUES (?, ?, ?, ?, ?, ?)""",
                seq,
                from, to, reason, actor, at);
    }
}
