package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

import dev.heddle.log.LogChunk;
import dev.heddle.log.LogPosition;
import dev.heddle.log.LogStore.Append;
import dev.heddle.store.Fence;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The table {@code log_chunk}: the logs of attempts, in chunks. */
final class LogRows {

    private static final Logger LOG = LoggerFactory.getLogger(LogRows.class);

    /** The attempt still has the job, or its own node recorded its end: recovery does not know its worker. */
    private static final String INSERT = """
            INSERT INTO heddle.log_chunk (seq, attempt, last_line, data)
            SELECT ?, ?, ?, ?
            WHERE EXISTS (SELECT 1 FROM heddle.live WHERE seq = ? AND attempt = ? AND node = ?)
               OR EXISTS (SELECT 1 FROM heddle.ended
                          WHERE seq = ? AND attempt = ? AND node = ? AND state = 'COMPLETED' AND worker <> '')
               OR EXISTS (SELECT 1 FROM heddle.attempt WHERE seq = ? AND number = ? AND node = ? AND worker <> '')
            ON CONFLICT (seq, attempt, last_line) DO UPDATE SET data = excluded.data""";

    private LogRows() {}

    static List<Boolean> append(Tx tx, List<Append> chunks) throws SQLException {
        // The deletion of a job waits until the chunks are committed and then sees them, or came first.
        tx.dialect().lockLogs(tx, false);
        int[] counts = tx.counted(INSERT, chunks, LogRows::parameters);
        List<Append> displacing = new ArrayList<>();
        List<Boolean> stored = new ArrayList<>(chunks.size());
        for (int i = 0; i < counts.length; i++) {
            stored.add(counts[i] == 1);
            if (counts[i] == 1 && chunks.get(i).dropThrough() > 0) {
                displacing.add(chunks.get(i));
            }
        }
        tx.batch("DELETE FROM heddle.log_chunk WHERE seq = ? AND attempt = ? AND last_line > ? AND last_line <= ?",
                displacing, append -> new Object[]{append.fence().seq(), append.fence().attempt(), append.dropAfter(),
                    append.dropThrough()});
        return stored;
    }

    private static Object[] parameters(Append append) {
        Fence fence = append.fence();
        return new Object[]{fence.seq(), fence.attempt(), append.chunk().lastLine(), LogCodec.write(append.chunk()),
            fence.seq(), fence.attempt(), fence.node(), fence.seq(), fence.attempt(), fence.node(), fence.seq(),
            fence.attempt(), fence.node()};
    }

    static List<LogChunk> chunks(Tx tx, long seq, LogPosition from, int limit) throws SQLException {
        List<LogChunk> chunks = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT attempt, data FROM heddle.log_chunk WHERE seq = ? AND (attempt, last_line) >= (?, ?)
                ORDER BY attempt, last_line LIMIT ?""", seq, from.attempt(), from.line(), limit)) {
            while (rows.next()) {
                try {
                    chunks.add(LogCodec.read(rows.getInt(1), rows.getBytes(2)));
                } catch (IllegalArgumentException e) {
                    LOG.warn("Leaving out a part of the log of job {}, attempt {}: {}", seq, rows.getInt(1),
                            e.getMessage());
                }
            }
        }
        return chunks;
    }

    /** Deletes the logs of the first attempts of a job. */
    static void deleteOld(Tx tx, long seq, int last) throws SQLException {
        tx.update("DELETE FROM heddle.log_chunk WHERE seq = ? AND attempt <= ?", seq, last);
    }

    /** Deletes the logs of jobs that were deleted in this transaction. */
    static void delete(Tx tx, SeqList seqs) throws SQLException {
        tx.dialect().lockLogs(tx, true);
        tx.update("DELETE FROM heddle.log_chunk WHERE seq" + tx.dialect().anyOf(), seqs);
    }
}
