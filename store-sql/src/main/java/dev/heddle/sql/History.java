package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Instant;

import dev.heddle.job.JobState;

/** The rows of changes off the ordinary way. */
public final class History {

    /** seq, from, to, reason, actor, at. */
    static final String INSERT = """
            INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at) VALUES (?, ?, ?, ?, ?, ?)""";

    private History() {}

    public static void add(Session session, long seq, JobState from, JobState to, String reason, String actor,
            Instant at)
            throws SQLException {
        session.update(INSERT, seq, from, to, reason, actor, at);
    }
}
