package dev.heddle.engine.suspects;

import dev.heddle.store.Suspicion;

/**
 * How many attempts are on probation on a node, and how many may be. If the node dies, the cause is among them. An
 * attempt may start if their number stays within every cap, so that the next death leaves fewer to choose from.
 *
 * @param onProbation how many attempts are on probation
 * @param smallestCap the smallest cap among them; {@link Suspicion#UNCAPPED} if none has one
 */
record StartLimit(int onProbation, int smallestCap) {

    /** Nothing runs. */
    static final StartLimit NONE = new StartLimit(0, Suspicion.UNCAPPED);

    /** Returns whether an attempt with this cap may start. */
    boolean allows(int cap) {
        return onProbation < Math.min(smallestCap, cap);
    }

    /** Returns the limit after an attempt with this cap has started. */
    StartLimit with(int cap) {
        return new StartLimit(onProbation + 1, Math.min(smallestCap, cap));
    }

    /** Returns how many more attempts without a cap may start. */
    int room() {
        return smallestCap == Suspicion.UNCAPPED ? Integer.MAX_VALUE : Math.max(0, smallestCap - onProbation);
    }
}
