package dev.heddle.pool;

import java.util.List;

import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;

/**
 * What becomes of what a dead node held: back to the queue as a suspect, unless it is to blame or must not run
 * twice.
 *
 * @param maxCrashes crashes that a job may cause before it counts as poison
 */
record RecoveryRules(int maxCrashes) implements RecoveryPlan {

    @Override
    public List<Recovery> decide(List<Orphan> orphans) {
        return orphans.stream().map(this::decide).toList();
    }

    private Recovery decide(Orphan orphan) {
        boolean crashed = orphan.care().commitsFirst();
        int crashes = orphan.job().counts().crashes() + (crashed ? 1 : 0);
        if (crashes > maxCrashes) {
            return new Recovery(orphan,
                    new Transition.Die("poison: its node died " + crashes + " times while it ran"), crashed);
        }
        if (orphan.care() == Care.ONCE && !orphan.hasCheckpoint()) {
            return new Recovery(orphan, new Transition.Die(
                    "orphaned: its node died while it ran, and its type is not safe to run twice"), crashed);
        }
        return new Recovery(orphan, new Transition.Requeue("node died"), crashed);
    }
}
