package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;

import dev.heddle.store.SavedState;
import org.jspecify.annotations.Nullable;

/** The tables {@code checkpoint} and {@code step}: what an attempt leaves for the next one. */
public final class SavedStateRows {

    private SavedStateRows() {}

    static SavedState load(Tx tx, long seq) throws SQLException {
        @Nullable String checkpoint = null;
        try (ResultSet rows = tx.query("SELECT json FROM heddle.checkpoint WHERE seq = ?", seq)) {
            if (rows.next()) {
                checkpoint = rows.getString(1);
            }
        }
        Map<String, String> steps = new LinkedHashMap<>();
        try (ResultSet rows = tx.query("SELECT name, json FROM heddle.step WHERE seq = ? ORDER BY saved_at, name",
                seq)) {
            while (rows.next()) {
                steps.put(rows.getString(1), rows.getString(2));
            }
        }
        return new SavedState(checkpoint, steps);
    }

    /** Deletes the checkpoints and steps of jobs that get no further attempt. */
    public static void delete(Tx tx, SeqList jobs) throws SQLException {
        String these = " WHERE seq" + tx.dialect().anyOf();
        tx.update("DELETE FROM heddle.checkpoint" + these, jobs);
        tx.update("DELETE FROM heddle.step" + these, jobs);
    }
}
