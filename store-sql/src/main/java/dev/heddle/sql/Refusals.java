package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.store.Change;
import dev.heddle.store.Fence;
import dev.heddle.store.Verdict;
import org.jspecify.annotations.Nullable;

/** What becomes of a change whose fence did not hold. */
public final class Refusals {

    private Refusals() {}

    /** Cancelled meanwhile, written before, or no longer this attempt's. The end of a cancelled one is written. */
    public static Verdict of(Session session, Change change, Kinship kin) throws SQLException {
        Fence fence = change.fence();
        if (stateOf(session, fence) != JobState.CANCELLED) {
            return Verdict.late(change, Attempts.recorded(session, fence));
        }
        switch (change) {
            case Change.Ended ended -> end(session, ended, kin);
            case Change.Ingested ingested -> end(session, ingested.end(), kin);
            case Change.HandedBack back ->
                kin.lost(Ends.cancelled(session, fence.seq(), back.at()), fence.node(), back.at());
            case Change.Started _,Change.Progressed _,Change.Checkpointed _,Change.StepDone _ -> {
            }
        }
        return Verdict.CANCELLED;
    }

    private static void end(Session session, Change.Ended ended, Kinship kin) throws SQLException {
        var at = ended.execution().endedAt();
        Attempts.add(session, ended, Attempt.End.CANCELLED);
        kin.lost(Ends.cancelled(session, ended.fence().seq(), at), ended.fence().node(), at);
    }

    private static @Nullable JobState stateOf(Session session, Fence fence) throws SQLException {
        try (ResultSet rows = session.query(
                "SELECT state FROM heddle.live WHERE seq = ? AND attempt = ? AND node = ?"
                        + session.dialect().forUpdate(),
                fence.seq(), fence.attempt(), fence.node())) {
            return rows.next() ? JobState.valueOf(rows.getString(1)) : null;
        }
    }
}
