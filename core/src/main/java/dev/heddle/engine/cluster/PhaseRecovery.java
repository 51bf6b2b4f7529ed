package dev.heddle.engine.cluster;

import java.util.List;

import dev.heddle.job.Phase;
import dev.heddle.job.Transition;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;

/**
 * Decides in which phase an orphaned two-phase job continues. A job that should aggregate but has no children returns
 * to its first phase. The wrapped plan decides everything else.
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
        String note = "; back to ingest: " + evidence(recovery);
        Transition transition = switch (recovery.transition()) {
            case Transition.Requeue(String reason) -> new Transition.Requeue(reason + note);
            case Transition.Retry(var delay, String reason) -> new Transition.Retry(delay, reason + note);
            case Transition.Complete _, Transition.Reschedule _, Transition.Wait _, Transition.Fail _, Transition.Cancel _ ->
                recovery.transition();
        };
        return new Recovery(recovery.orphan(), transition, recovery.crashed(), Phase.INGEST, recovery.suspicion());
    }

    /** Returns whether the job was in its second phase. */
    static boolean isPhased(Recovery recovery) {
        return recovery.orphan().job().phase() == Phase.AGGREGATE;
    }

    /** Describes the decision for the log. */
    static String logLine(Recovery recovery) {
        return recovery.phase() == Phase.AGGREGATE
                ? "Job " + recovery.orphan().job().id() + " staying in 'aggregate' phase (" + evidence(recovery) + ")"
                : "Reset job " + recovery.orphan().job().id() + " to 'ingest' phase (" + evidence(recovery) + ")";
    }

    private static String evidence(Recovery recovery) {
        long children = recovery.orphan().children();
        if (children == Orphan.UNREADABLE) {
            return "couldn't verify child tasks";
        }
        return children == 0 ? "no child tasks found, likely crashed during phase transition"
                : children + " child tasks found";
    }
}
