package dev.heddle.simulation;

import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/**
 * What happens to real nodes. The seed decides all of it, but not when it happens.
 *
 * @param seed the seed
 * @param nodes how many nodes there are
 * @param kills how often a node is killed
 * @param work the kinds of jobs
 * @param faults what else goes wrong
 */
record RealPlan(long seed, int nodes, int kills, Set<Work> work, Set<Fault> faults) {

    /** What can go wrong, apart from kills. */
    enum Fault {
        /** A node stands still, mostly for longer than its lease, and goes on. */
        STOP,
        /** A node closes in an orderly way, and starts again. */
        CLOSE,
        /** All connections to the store break. */
        CUT
    }

    /**
     * What real nodes cannot do: the rule of priorities has to see every commit; some need processes, money and a
     * machine that only the simulation has; and those that limits and schedules hold back would take too long. Limits
     * and schedules have tests of their own that kill nodes.
     */
    private static final Set<Work> ONLY_SIMULATED = EnumSet.of(Work.PRIORITY, Work.EXTERNAL, Work.ADOPTED, Work.BUDGET,
            Work.LIMITED, Work.PACED, Work.SCHEDULED);

    /** Returns the plan of a seed: a random subset of everything. */
    static RealPlan of(long seed, RealStore store, int kills) {
        Random random = new Random(seed);
        Set<Work> work = EnumSet.complementOf(EnumSet.copyOf(ONLY_SIMULATED));
        work.removeIf(_ -> random.nextBoolean());
        if (work.isEmpty() || work.equals(Set.of(Work.KILLER))) {
            work.add(Work.ECHO);
        }
        Set<Fault> faults = EnumSet.allOf(Fault.class);
        faults.removeIf(_ -> random.nextBoolean());
        if (!store.isShared()) {
            faults.remove(Fault.CUT);
        }
        return new RealPlan(seed, store.isShared() ? 2 + random.nextInt(2) : 1, kills, work, faults);
    }
}
