package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.store.Retention;

/** Deletes what has outlived the retention, a bounded number at a time. */
final class Pruning {

    /**
     * Completed and cancelled jobs up to a place in the order of their ends, less children of parents that are not done
     * with them: unfinished ones, and dead letters, which may be retried.
     */
    private static final String PRUNABLE = """
            SELECT e.seq FROM heddle.ended e JOIN heddle.job j ON j.seq = e.seq
            WHERE e.state <> 'FAILED' AND (e.ended_at, e.seq) <= (?, ?)
              AND NOT EXISTS (SELECT 1 FROM heddle.job parent JOIN heddle.live ON live.seq = parent.seq WHERE parent.id = j.parent)
              AND NOT EXISTS (SELECT 1 FROM heddle.job parent JOIN heddle.ended ON ended.seq = parent.seq
                              WHERE parent.id = j.parent AND ended.state = 'FAILED')
            ORDER BY e.ended_at, e.seq LIMIT ?""";

    private Pruning() {}

    /** The last job in the order of ends that is prunable by age or by count. */
    private record Cutoff(Instant endedAt, long seq) {}

    static int prune(Session session, Retention retention, Instant now) throws SQLException {
        Cutoff cutoff = new Cutoff(now.minus(retention.age()).truncatedTo(ChronoUnit.MILLIS).minusMillis(1),
                Long.MAX_VALUE);
        if (retention.count() != Long.MAX_VALUE) {
            Cutoff byCount = cutoffByCount(session, retention.count());
            cutoff = byCount.endedAt().isAfter(cutoff.endedAt()) ? byCount : cutoff;
        }
        List<Long> seqs = new ArrayList<>();
        try (ResultSet rows = session.query(PRUNABLE + session.dialect().forUpdateSkipLocked("e"),
                cutoff.endedAt(), cutoff.seq(), retention.batch())) {
            while (rows.next()) {
                seqs.add(rows.getLong(1));
            }
        }
        if (!seqs.isEmpty()) {
            delete(session, new Seqs(seqs));
        }
        Adoptions.sweep(session);
        sweepSaves(session, now.minus(retention.checkpoints()));
        return seqs.size();
    }

    private static Cutoff cutoffByCount(Session session, long count) throws SQLException {
        try (ResultSet rows = session.query("""
                SELECT ended_at, seq FROM heddle.ended WHERE state <> 'FAILED'
                ORDER BY ended_at DESC, seq DESC LIMIT 1 OFFSET ?""", count)) {
            return rows.next() ? new Cutoff(Rows.instant(rows, 1), rows.getLong(2))
                    : new Cutoff(Instant.EPOCH, 0);
        }
    }

    private static void sweepSaves(Session session, Instant before) throws SQLException {
        String outlived = " WHERE seq IN (SELECT e.seq FROM heddle.ended e WHERE e.ended_at < ?)";
        session.update("DELETE FROM heddle.checkpoint" + outlived, before);
        session.update("DELETE FROM heddle.step" + outlived, before);
    }

    /** Jobs with everything that belongs to them. */
    static void delete(Session session, Seqs seqs) throws SQLException {
        String these = " WHERE seq" + session.dialect().anyOf();
        Saves.delete(session, seqs);
        for (String table : List.of("spoken", "attempt", "history", "ended", "job")) {
            session.update("DELETE FROM heddle." + table + these, seqs);
        }
        Runs.jobsAreGone(session, seqs);
    }
}
