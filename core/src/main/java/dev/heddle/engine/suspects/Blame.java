package dev.heddle.engine.suspects;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.heddle.job.JobState;
import dev.heddle.store.Orphan;
import dev.heddle.store.Suspicion;

import static java.util.stream.Collectors.groupingBy;

/**
 * Decides which jobs may have killed a node, from what it held when it died.
 *
 * <p>Most nodes commit the start of an attempt together with whatever else is to be written, while the handler runs
 * already. So at a first death nobody knows all that ran. Everything that the node held becomes a suspect, and nobody
 * is blamed.
 *
 * <p>While a node holds a suspect, it commits every start before the handler runs. If it dies then, the attempts that
 * have started, have not ended and are still on probation are all that can be the cause, also if their jobs were
 * cancelled meanwhile. If there are several, each
 * gets half their number as its cap: {@link StartLimit} lets no more of them run at once, and the next death leaves at
 * most half. If there is one, it has crashed its node.
 *
 * <p>One job among n that kills its node within its probation is known after 1 + ⌈log₂ n⌉ deaths, and counted at each
 * further one. It is among the possible causes each time, so nobody else is ever the only one.
 */
public final class Blame {

    private Blame() {}

    /**
     * What a death means for one job.
     *
     * @param orphan the job
     * @param crashed whether it counts as a crash of the job
     * @param causes how many jobs may be the cause; 0 if that is not known or this is none of them
     * @param suspicion what the deaths of nodes say about the job from now on
     */
    public record Finding(Orphan orphan, boolean crashed, int causes, Suspicion suspicion) {}

    /** Returns the findings about all jobs that dead nodes held. Each node is looked at by itself. */
    public static List<Finding> afterDeath(List<Orphan> orphans) {
        Function<Orphan, String> node = orphan -> String.valueOf(orphan.job().status().node());
        return orphans.stream().collect(groupingBy(node)).values().stream().flatMap(Blame::ofOneNode).toList();
    }

    private static Stream<Finding> ofOneNode(List<Orphan> held) {
        boolean committedFirst = held.stream().anyMatch(Blame::isRunningSuspect);
        int causes = (int) held.stream().filter(Blame::isOnProbation).count() + held.getFirst().cancelledBeside();
        return held.stream().map(orphan -> committedFirst ? amongKnown(orphan, causes) : amongUnknown(orphan));
    }

    /** Its start was committed before its handler ran, and so was every later one on its node. */
    private static boolean isRunningSuspect(Orphan orphan) {
        return isOnProbation(orphan) && orphan.suspicion().suspect() && orphan.guarantee().commitsFirst();
    }

    private static boolean isOnProbation(Orphan orphan) {
        return isRunning(orphan) && !orphan.suspicion().isCleared(orphan.job().counts().attempt());
    }

    private static boolean isRunning(Orphan orphan) {
        return orphan.job().state() == JobState.RUNNING;
    }

    private static Finding amongUnknown(Orphan orphan) {
        Suspicion before = orphan.suspicion();
        return new Finding(orphan, false, 0, isRunning(orphan) ? died(orphan, before.cap(), before.deaths() + 1)
                : before.suspected());
    }

    private static Finding amongKnown(Orphan orphan, int causes) {
        Suspicion before = orphan.suspicion();
        if (isOnProbation(orphan)) {
            return new Finding(orphan, causes == 1, causes, died(orphan, (causes + 1) / 2, before.deaths() + 1));
        }
        // A cleared one is tried again, for longer: it may be slower to kill than its probation was long.
        return new Finding(orphan, false, 0,
                isRunning(orphan) ? died(orphan, Suspicion.UNCAPPED, before.deaths()) : before);
    }

    private static Suspicion died(Orphan orphan, int cap, int deaths) {
        return new Suspicion(true, cap, deaths, orphan.ranFor(), orphan.suspicion().clearedAttempt());
    }
}
