package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/** Decides what to answer to a change whose fence did not match. */
public final class StaleChanges {

    private StaleChanges() {}

    /**
     * Returns why the change was not applied: the job was cancelled, the change is already stored, or another attempt
     * has the job. The end of an attempt whose job was cancelled is written here.
     */
    public static Verdict resolve(Tx tx, Change change, FamilyChanges families) throws SQLException {
        Fence fence = change.fence();
        JobState state = stateOf(tx, fence);
        boolean cancelled = state == JobState.CANCELLED
                || (state != null && Successors.cancelHeld(tx, change, families));
        if (!cancelled) {
            return Verdict.forStaleFence(change, AttemptRows.recorded(tx, fence));
        }
        switch (change) {
            case Change.Ended ended -> end(tx, ended, families);
            case Change.Ingested ingested -> end(tx, ingested.end(), families);
            case Change.Released back ->
                families.childEnded(EndedRows.moveCancelled(tx, fence.seq(), back.at()), fence.node(), back.at());
            case Change.Started _, Change.Cleared _, Change.Progressed _, Change.Checkpointed _, Change.StepDone _ -> {
            }
        }
        return Verdict.CANCELLED;
    }

    private static void end(Tx tx, Change.Ended ended, FamilyChanges families) throws SQLException {
        Instant at = ended.execution().endedAt();
        AttemptRows.add(tx, ended, Attempt.End.CANCELLED);
        families.childEnded(EndedRows.moveCancelled(tx, ended.fence().seq(), at), ended.fence().node(), at);
    }

    private static @Nullable JobState stateOf(Tx tx, Fence fence) throws SQLException {
        try (ResultSet rows = tx.query(
                "SELECT state FROM heddle.live WHERE seq = ? AND attempt = ? AND node = ?" + tx.dialect().forUpdate(),
                fence.seq(), fence.attempt(), fence.node())) {
            return rows.next() ? Rows.liveState(rows.getString(1)) : null;
        }
    }
}
