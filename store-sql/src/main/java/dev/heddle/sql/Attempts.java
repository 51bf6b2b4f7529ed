package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.heddle.job.Attempt;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import org.jspecify.annotations.Nullable;

/** The rows of attempts that are over; one that completed its job is recorded with the end of that. */
public final class Attempts {

    private static final String INSERT = """
            INSERT INTO heddle.attempt (seq, number, node, worker, assigned_at, started_at, ended_at, outcome, failure)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";

    private Attempts() {}

    public static void add(Session session, Change.Ended ended, Attempt.End end) throws SQLException {
        Change.Execution execution = ended.execution();
        session.update(INSERT, ended.fence().seq(), ended.fence().attempt(), ended.fence().node(),
                execution.worker(), execution.assignedAt(), execution.startedAt(), execution.endedAt(), end,
                Json.text(execution.failure()));
    }

    /** How the attempt of this fence ended; null where it is not recorded. */
    static Attempt.@Nullable End recorded(Session session, Fence fence) throws SQLException {
        try (ResultSet rows = session.query(
                "SELECT outcome FROM heddle.every_attempt WHERE seq = ? AND number = ? AND node = ?",
                fence.seq(),
                fence.attempt(), fence.node())) {
            return rows.next() ? Attempt.End.valueOf(rows.getString(1)) : null;
        }
    }
}
