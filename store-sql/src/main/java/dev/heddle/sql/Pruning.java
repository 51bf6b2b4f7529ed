package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.store.Retention;

/** Deletes jobs that are older than the retention, and everything stored for them. */
final class Pruning {

    /**
     * Selects completed and cancelled jobs up to a cutoff in the order of their ends. Leaves out children whose
     * parent may still need them: it has not ended, or it is a dead letter and may be retried.
     */
    private static final String PRUNABLE = """
            SELECT e.seq FROM heddle.ended e JOIN heddle.job j ON j.seq = e.seq
            WHERE e.state <> 'FAILED' AND (e.ended_at, e.seq) <= (?, ?)
              AND NOT EXISTS (SELECT 1 FROM heddle.job parent JOIN heddle.live ON live.seq = parent.seq WHERE parent.id = j.parent)
              AND NOT EXISTS (SELECT 1 FROM heddle.job parent JOIN heddle.ended ON ended.seq = parent.seq
                              WHERE parent.id = j.parent AND ended.state = 'FAILED')
            ORDER BY e.ended_at, e.seq LIMIT ?""";

    private Pruning() {}

    /** The last job to prune, in the order of ends. */
    private record Cutoff(Instant endedAt, long seq) {}

    static int prune(Tx tx, Retention retention, Instant now) throws SQLException {
        Cutoff cutoff = new Cutoff(now.minus(retention.age()).truncatedTo(ChronoUnit.MILLIS).minusMillis(1),
                Long.MAX_VALUE);
        if (retention.count() != Long.MAX_VALUE) {
            Cutoff byCount = cutoffByCount(tx, retention.count());
            cutoff = byCount.endedAt().isAfter(cutoff.endedAt()) ? byCount : cutoff;
        }
        List<Long> seqs = new ArrayList<>();
        try (ResultSet rows = tx.query(PRUNABLE + tx.dialect().forUpdateSkipLocked("e"), cutoff.endedAt(), cutoff.seq(),
                retention.batch())) {
            while (rows.next()) {
                seqs.add(rows.getLong(1));
            }
        }
        if (!seqs.isEmpty()) {
            KeyRows.prune(tx, new SeqList(seqs));
            delete(tx, new SeqList(seqs));
        }
        KeyRows.sweep(tx);
        ReservationRows.sweep(tx);
        LimitEvents.sweep(tx);
        deleteOldSavedState(tx, now.minus(retention.checkpoints()));
        return seqs.size();
    }

    private static Cutoff cutoffByCount(Tx tx, long count) throws SQLException {
        try (ResultSet rows = tx.query("""
                SELECT ended_at, seq FROM heddle.ended WHERE state <> 'FAILED'
                ORDER BY ended_at DESC, seq DESC LIMIT 1 OFFSET ?""", count)) {
            return rows.next() ? new Cutoff(Rows.instant(rows, 1), rows.getLong(2)) : new Cutoff(Instant.EPOCH, 0);
        }
    }

    private static void deleteOldSavedState(Tx tx, Instant before) throws SQLException {
        String expired = " WHERE seq IN (SELECT e.seq FROM heddle.ended e WHERE e.ended_at < ?)";
        tx.update("DELETE FROM heddle.checkpoint" + expired, before);
        tx.update("DELETE FROM heddle.step" + expired, before);
    }

    /** Deletes jobs and everything stored for them. Their runs stay until the files are deleted. */
    static void delete(Tx tx, SeqList seqs) throws SQLException {
        String these = " WHERE seq" + tx.dialect().anyOf();
        SavedStateRows.delete(tx, seqs);
        CountRows.removeEnded(tx, seqs);
        for (String table : List.of("spoken", "attempt", "history", "ended", "job")) {
            tx.update("DELETE FROM heddle." + table + these, seqs);
        }
        LogRows.delete(tx, seqs);
        RunRows.markGone(tx, seqs);
    }
}
