package dev.heddle.engine.cluster;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.pool.Staging;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StartGuarantee;

/**
 * Decides what happens to the jobs that a dead node held. A job that crashed too often, or must not run twice, is
 * dead-lettered. A job that was only assigned is requeued at once. Jobs that ran are restarted in stages. All return
 * as suspects: a node runs one suspect at a time, so the next crash can be traced to one job.
 *
 * @param maxCrashes the crash at which a job is dead-lettered
 */
record RecoveryRules(int maxCrashes, Staging staging, Instant now) implements RecoveryPlan {

    static final String NODE_DIED = "node died";

    /** Jobs with a checkpoint come first: they are nearer to their end and have more to lose. */
    private static final Comparator<Orphan> RESTART_ORDER = Comparator.comparing(Orphan::hasCheckpoint).reversed()
            .thenComparing(Comparator.comparingInt((Orphan o) -> o.job().spec().priority()).reversed())
            .thenComparingLong(orphan -> orphan.job().seq());

    @Override
    public List<Recovery> decide(List<Orphan> orphans) {
        List<Recovery> recoveries = new ArrayList<>(orphans.size());
        List<Orphan> ran = new ArrayList<>();
        for (Orphan orphan : orphans) {
            Optional<Transition> deadLetter = deadLetter(orphan);
            if (deadLetter.isPresent()) {
                recoveries.add(recovery(orphan, deadLetter.get()));
            } else if (orphan.job().state() == JobState.ASSIGNED) {
                recoveries.add(recovery(orphan, new Transition.Requeue(NODE_DIED)));
            } else {
                ran.add(orphan);
            }
        }
        ran.sort(RESTART_ORDER);
        for (int place = 0; place < ran.size(); place++) {
            recoveries.add(recovery(ran.get(place), restart(place, ran.size())));
        }
        return recoveries;
    }

    private Optional<Transition> deadLetter(Orphan orphan) {
        int crashes = orphan.job().counts().crashes() + 1;
        if (crashed(orphan) && crashes >= maxCrashes) {
            return Optional.of(new Transition.Fail(
                    "poison: it crashed its node " + (crashes == 1 ? "once" : crashes + " times")));
        }
        if (orphan.guarantee() == StartGuarantee.AT_MOST_ONCE && !orphan.hasCheckpoint()) {
            return Optional.of(
                    new Transition.Fail("orphaned: its node died while it ran, and its type is not safe to run twice"));
        }
        return Optional.empty();
    }

    private Transition restart(int place, int count) {
        if (staging.stage(place) == Staging.Stage.AT_ONCE) {
            return new Transition.Requeue(NODE_DIED);
        }
        return new Transition.Retry(now.plus(staging.delay(place, count)),
                NODE_DIED + "; starts again as number " + (place + 1) + " of " + count);
    }

    /** Counts the crash only if the start of the job is known to have been committed. */
    private static boolean crashed(Orphan orphan) {
        return orphan.guarantee().commitsFirst();
    }

    private static Recovery recovery(Orphan orphan, Transition transition) {
        return new Recovery(orphan, transition, crashed(orphan));
    }
}
