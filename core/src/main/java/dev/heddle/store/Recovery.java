package dev.heddle.store;

import dev.heddle.job.Attempt;
import dev.heddle.job.Phase;
import dev.heddle.job.Transition;

/**
 * What happens to one orphan.
 *
 * @param orphan the job
 * @param transition its new state
 * @param crashed whether the death of the node counts as a crash of the job
 * @param phase the phase that the job runs next
 * @param suspicion what the deaths of nodes say about the job from now on
 */
public record Recovery(Orphan orphan, Transition transition, boolean crashed, Phase phase, Suspicion suspicion) {

    /** Creates a recovery of a suspect that keeps its phase. */
    public Recovery(Orphan orphan, Transition transition, boolean crashed) {
        this(orphan, transition, crashed, orphan.job().phase(), orphan.suspicion().suspected());
    }

    /** Returns how the attempt ended, if it had started. */
    public Attempt.End end() {
        return crashed ? Attempt.End.CRASHED : Attempt.End.NODE_DIED;
    }
}
