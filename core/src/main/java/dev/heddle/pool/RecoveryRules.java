package dev.heddle.pool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.store.Care;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;

/**
 * What becomes of what a dead node held. A job that is to blame, or must not run twice, is a dead letter. What was only
 * assigned goes back to the queue at once, what ran is staged. Both go back as suspects: however many are due, a node
 * runs one of them at a time, so that the next crash can be traced to one.
 *
 * @param maxCrashes crashes that a job may cause before it counts as poison
 */
record RecoveryRules(int maxCrashes, Staging staging, Instant now) implements RecoveryPlan {

    static final String NODE_DIED = "node died";

    /** Whoever has saved where to go on comes first: it is nearer to its end, and has more to lose. */
    private static final Comparator<Orphan> BY_TURN = Comparator.comparing(Orphan::hasCheckpoint).reversed()
            .thenComparing(Comparator.comparingInt((Orphan o) -> o.job().spec().priority()).reversed())
            .thenComparingLong(orphan -> orphan.job().seq());

    @Override
    public List<Recovery> decide(List<Orphan> orphans) {
        List<Recovery> recoveries = new ArrayList<>(orphans.size());
        List<Orphan> ran = new ArrayList<>();
        for (Orphan orphan : orphans) {
            Optional<Transition> doom = doom(orphan);
            if (doom.isPresent()) {
                recoveries.add(recovery(orphan, doom.get()));
            } else if (orphan.job().state() == JobState.ASSIGNED) {
                recoveries.add(recovery(orphan, new Transition.Requeue(NODE_DIED)));
            } else {
                ran.add(orphan);
            }
        }
        ran.sort(BY_TURN);
        for (int place = 0; place < ran.size(); place++) {
            recoveries.add(recovery(ran.get(place), turn(place, ran.size())));
        }
        return recoveries;
    }

    private Optional<Transition> doom(Orphan orphan) {
        int crashes = orphan.job().counts().crashes() + (crashed(orphan) ? 1 : 0);
        if (crashes > maxCrashes) {
            return Optional.of(
                    new Transition.Die("poison: its node died " + crashes + " times while it ran"));
        }
        if (orphan.care() == Care.ONCE && !orphan.hasCheckpoint()) {
            return Optional.of(new Transition.Die(
                    "orphaned: its node died while it ran, and its type is not safe to run twice"));
        }
        return Optional.empty();
    }

    private Transition turn(int place, int count) {
        if (staging.stage(place) == Staging.Stage.AT_ONCE) {
            return new Transition.Requeue(NODE_DIED);
        }
        return new Transition.Retry(now.plus(staging.delay(place, count)),
                NODE_DIED + "; starts again as number " + (place + 1) + " of " + count);
    }

    /** The node died while this start was known to be committed. */
    private static boolean crashed(Orphan orphan) {
        return orphan.care().commitsFirst();
    }

    private static Recovery recovery(Orphan orphan, Transition transition) {
        return new Recovery(orphan, transition, crashed(orphan));
    }
}
