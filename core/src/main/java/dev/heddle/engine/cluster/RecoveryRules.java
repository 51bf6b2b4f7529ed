package dev.heddle.engine.cluster;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

import dev.heddle.engine.suspects.Blame;
import dev.heddle.job.JobState;
import dev.heddle.job.Transition;
import dev.heddle.job.Transitions;
import dev.heddle.pool.Staging;
import dev.heddle.store.Orphan;
import dev.heddle.store.Recovery;
import dev.heddle.store.RecoveryPlan;
import dev.heddle.store.StartGuarantee;

/**
 * Decides what happens to the jobs that a dead node held. A job that crashed too often, or must not run twice, is
 * dead-lettered. A job that was only assigned is requeued at once. Jobs that ran are restarted in stages. {@link Blame}
 * says which of them return as suspects.
 *
 * @param maxCrashes the crash at which a job is dead-lettered
 */
record RecoveryRules(int maxCrashes, Staging staging) implements RecoveryPlan {

    static final String NODE_DIED = "node died";

    /** Jobs with a checkpoint come first: they are nearer to their end and have more to lose. */
    private static final Comparator<Orphan> RESTART_ORDER = Comparator.comparing(Orphan::hasCheckpoint).reversed()
            .thenComparing(Comparator.comparingInt((Orphan o) -> o.job().spec().priority()).reversed())
            .thenComparingLong(orphan -> orphan.job().seq());

    @Override
    public List<Recovery> decide(List<Orphan> orphans) {
        List<Recovery> recoveries = new ArrayList<>(orphans.size());
        List<Blame.Finding> ran = new ArrayList<>();
        for (Blame.Finding finding : Blame.afterDeath(orphans)) {
            Optional<Transition> deadLetter = deadLetter(finding);
            if (deadLetter.isPresent()) {
                recoveries.add(recovery(finding, deadLetter.get()));
            } else if (finding.orphan().job().state() == JobState.ASSIGNED) {
                recoveries.add(recovery(finding, new Transition.Requeue(NODE_DIED)));
            } else {
                ran.add(finding);
            }
        }
        ran.sort(Comparator.comparing(Blame.Finding::orphan, RESTART_ORDER));
        for (int place = 0; place < ran.size(); place++) {
            recoveries.add(recovery(ran.get(place), restart(ran.get(place), place, ran.size())));
        }
        return recoveries;
    }

    private Optional<Transition> deadLetter(Blame.Finding finding) {
        Orphan orphan = finding.orphan();
        Optional<Transition> poison = finding.crashed()
                ? Transitions.deadLetterAfter(orphan.job().counts().crashes() + 1, maxCrashes)
                : Optional.empty();
        if (poison.isPresent()) {
            return poison;
        }
        if (orphan.guarantee() == StartGuarantee.AT_MOST_ONCE && !orphan.hasCheckpoint()) {
            return Optional.of(
                    new Transition.Fail("orphaned: its node died while it ran, and its type is not safe to run twice"));
        }
        return Optional.empty();
    }

    private Transition restart(Blame.Finding finding, int place, int count) {
        String reason = NODE_DIED + cause(finding);
        if (staging.stage(place) == Staging.Stage.AT_ONCE) {
            return new Transition.Requeue(reason);
        }
        return new Transition.Retry(staging.delay(place, count),
                reason + "; starts again as number " + (place + 1) + " of " + count);
    }

    private static String cause(Blame.Finding finding) {
        return switch (finding.causes()) {
            case 0 -> "";
            case 1 -> ", and no other job can be the cause";
            default -> ", and one of " + finding.causes() + " jobs is the cause; at most " + finding.suspicion().cap()
                    + " of them start at a time";
        };
    }

    private static Recovery recovery(Blame.Finding finding, Transition transition) {
        return new Recovery(finding.orphan(), transition, finding.crashed(), finding.orphan().job().phase(),
                finding.suspicion());
    }
}
