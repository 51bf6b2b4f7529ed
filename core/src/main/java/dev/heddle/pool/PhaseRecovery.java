package dev.heddle.pool;

import java.util.List;

import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;

/**
 * In which phase a two-phase job goes on that a dead node held: one that should aggregate what there is none of goes
 * back to its first phase. Whatever else becomes of it is the other plan's to say, and other jobs are left alone.
 */
record PhaseRecovery(RecoveryPlan plan) implements RecoveryPlan {

    @Override
    public List<Recovery> decide(List<Orphan> orphans) {
        return plan.decide(orphans).stream().map(PhaseRecovery::inPhase).toList();
    }

    private static Recovery inPhase(Recovery recovery) {
        if (!isPhased(recovery) || recovery.orphan().children() > 0) {
            return recovery;
        }
        String note = "; back to ingest: " + finding(recovery);
        Transition transition = switch (recovery.transition()) {
            case Transition.Requeue(String reason) -> new Transition.Requeue(reason + note);
            case Transition.Retry(var at, String reason) -> new Transition.Retry(at, reason + note);
            case Transition.Complete _,Transition.Wait _,Transition.Die _,Transition.Cancel _ ->
                recovery.transition();
        };
        return new Recovery(recovery.orphan(), transition, recovery.crashed(), Phase.INGEST);
    }

    /** Whether there was a phase to decide about. */
    static boolean isPhased(Recovery recovery) {
        return recovery.orphan().job().phase() == Phase.AGGREGATE;
    }

    /** The decision, for the log. */
    static String line(Recovery recovery) {
        return recovery.phase() == Phase.AGGREGATE
                ? "Job " + recovery.orphan().job().id() + " staying in 'aggregate' phase ("
                        + finding(recovery) + ")"
                : "Reset job " + recovery.orphan().job().id() + " to 'ingest' phase (" + finding(recovery)
                        + ")";
    }

    private static String finding(Recovery recovery) {
        long children = recovery.orphan().children();
        if (children == Orphan.UNREADABLE) {
            return "couldn't verify child tasks";
        }
        return children == 0 ? "no child tasks found, likely crashed during phase transition"
                : children + " child tasks found";
    }
}
