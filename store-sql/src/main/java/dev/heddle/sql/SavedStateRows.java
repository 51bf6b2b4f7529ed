package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.heddle.job.Transition;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
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
        @Nullable Instant lastStepAt = null;
        try (ResultSet rows = tx.query(
                "SELECT name, json, saved_at FROM heddle.step WHERE seq = ? ORDER BY saved_at, name", seq)) {
            while (rows.next()) {
                steps.put(rows.getString(1), rows.getString(2));
                lastStepAt = Rows.time(rows, 3);
            }
        }
        return new SavedState(checkpoint, steps, lastStepAt);
    }

    /** Returns the names of the saved steps, in the order in which they were saved. */
    static List<String> stepNames(Tx tx, long seq) throws SQLException {
        List<String> names = new ArrayList<>();
        try (ResultSet rows = tx.query("SELECT name FROM heddle.step WHERE seq = ? ORDER BY saved_at, name", seq)) {
            while (rows.next()) {
                names.add(rows.getString(1));
            }
        }
        return names;
    }

    /** Deletes the results of these steps of a job. */
    static void forgetSteps(Tx tx, long seq, List<String> names) throws SQLException {
        tx.batch("DELETE FROM heddle.step WHERE seq = ? AND name = ?", names, name -> new Object[]{seq, name});
    }

    static void forgetCheckpoint(Tx tx, long seq) throws SQLException {
        tx.update("DELETE FROM heddle.checkpoint WHERE seq = ?", seq);
    }

    /** Leaves a job that runs again from the beginning only what its handler passes on. */
    public static void startAfresh(Tx tx, Change.Ended ended) throws SQLException {
        Fence fence = ended.fence();
        if (ended.saved()) {
            delete(tx, new SeqList(List.of(fence.seq())));
            AttemptRows.deleteOld(tx, fence.seq(), fence.attempt());
        }
        String checkpoint = ((Transition.Reschedule) ended.transition()).checkpoint();
        if (checkpoint != null) {
            tx.update("INSERT INTO heddle.checkpoint (seq, json, saved_at) VALUES (?, ?, ?)", fence.seq(),
                    new Json.Text(checkpoint), ended.execution().endedAt());
        }
    }

    /** Deletes the checkpoints and steps of jobs that get no further attempt. */
    public static void delete(Tx tx, SeqList jobs) throws SQLException {
        String these = " WHERE seq" + tx.dialect().anyOf();
        tx.update("DELETE FROM heddle.checkpoint" + these, jobs);
        tx.update("DELETE FROM heddle.step" + these, jobs);
    }
}
