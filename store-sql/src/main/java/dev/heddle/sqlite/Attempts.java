package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.heddle.job.Attempt;
import dev.heddle.store.Fence;

/** The rows of ended attempts. */
final class Attempts {

    static final String INSERT = """
            INSERT INTO attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome, failure)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private Attempts() {}

    static boolean isRecorded(Session session, Fence fence, Attempt.End end) throws SQLException {
        try (ResultSet rows = session.query(
                "SELECT 1 FROM attempt WHERE seq = ? AND number = ? AND node = ? AND outcome = ?",
                fence.seq(),
                fence.attempt(), fence.node(), end)) {
            return rows.next();
        }
    }
}
