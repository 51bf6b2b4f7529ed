package dev.heddle.sqlite;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.store.Retention;

/** Deletes what has outlived the retention, a bounded number at a time. */
final class Pruning {

    /** Completed and cancelled jobs up to a place in the order of their ends, less children of unfinished parents. */
    private static final String PRUNABLE = """
            SELECT e.seq FROM ended e JOIN job j ON j.seq = e.seq
            WHERE e.state <> 'FAILED' AND (e.ended_at, e.seq) <= (?, ?)
              AND NOT EXISTS (SELECT 1 FROM job parent JOIN live ON live.seq = parent.seq WHERE parent.id = j.parent)
            ORDER BY e.ended_at, e.seq LIMIT ?""";

    private Pruning() {}

    /** The last job in the order of ends that is prunable by age or by count. */
    private record Cutoff(long endedAt, long seq) {}

    static int prune(Session session, Retention retention, Instant now) throws SQLException {
        Cutoff cutoff = new Cutoff(now.minus(retention.age()).toEpochMilli() - 1, Long.MAX_VALUE);
        if (retention.count() != Long.MAX_VALUE) {
            Cutoff byCount = cutoffByCount(session, retention.count());
            cutoff = byCount.endedAt() > cutoff.endedAt() ? byCount : cutoff;
        }
        List<Long> seqs = new ArrayList<>();
        try (ResultSet rows = session.query(PRUNABLE, cutoff.endedAt(), cutoff.seq(), retention.batch())) {
            while (rows.next()) {
                seqs.add(rows.getLong(1));
            }
        }
        for (long seq : seqs) {
            delete(session, seq);
        }
        sweepSaves(session, now.minus(retention.checkpoints()).toEpochMilli());
        return seqs.size();
    }

    private static Cutoff cutoffByCount(Session session, long count) throws SQLException {
        try (ResultSet rows = session.query("""
                SELECT ended_at, seq FROM ended WHERE state <> 'FAILED'
                ORDER BY ended_at DESC, seq DESC LIMIT 1 OFFSET ?""", count)) {
            return rows.next() ? new Cutoff(rows.getLong(1), rows.getLong(2)) : new Cutoff(Long.MIN_VALUE, 0);
        }
    }

    private static void sweepSaves(Session session, long before) throws SQLException {
        session.update("""
                DELETE FROM checkpoint
                WHERE EXISTS (SELECT 1 FROM ended e WHERE e.seq = checkpoint.seq AND e.ended_at < ?)""",
                before);
        session.update(
                "DELETE FROM step WHERE EXISTS (SELECT 1 FROM ended e WHERE e.seq = step.seq AND e.ended_at < ?)",
                before);
    }

    /** A job with everything that belongs to it. */
    static void delete(Session session, long seq) throws SQLException {
        Saves.delete(session, seq);
        session.update("DELETE FROM attempt WHERE seq = ?", seq);
        session.update("DELETE FROM history WHERE seq = ?", seq);
        session.update("DELETE FROM ended WHERE seq = ?", seq);
        session.update("DELETE FROM job WHERE seq = ?", seq);
    }
}
