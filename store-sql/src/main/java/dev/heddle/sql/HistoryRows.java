package dev.heddle.sql;

import java.sql.SQLException;
import java.time.Instant;

import dev.heddle.job.JobState;

/** Writes the table {@code history}: the state changes that the times of attempts do not already record. */
public final class HistoryRows {

    /** Parameters: seq, from, to, reason, actor, at. */
    static final String INSERT = """
            INSERT INTO heddle.history (seq, from_state, to_state, reason, actor, at) VALUES (?, ?, ?, ?, ?, ?)""";

    private HistoryRows() {}

    /** Records that the actor moved a job from one state to another. */
    public static void add(Tx tx, long seq, JobState from, JobState to, String reason, String actor, Instant at)
            throws SQLException {
        tx.update(INSERT, seq, from, to, reason, actor, at);
    }
}
