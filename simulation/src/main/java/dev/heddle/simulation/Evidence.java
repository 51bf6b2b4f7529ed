package dev.heddle.simulation;

import dev.heddle.store.JobReader;

/** What is known of a run: all that was told of its jobs, what the store has, and what happened to its nodes. */
interface Evidence {

    /** Returns all that was told of the jobs. */
    Stories stories();

    /** Returns a view of the store that has no faults. */
    JobReader observer();

    /** Returns when a life of a node ended, by the clock of the reports; {@link Long#MAX_VALUE} if it has not. */
    long diedAt(String node);

    /** Returns how many nodes have died. */
    int deaths();

    /** Returns how many jobs can run at once, with those of nodes that close while others take their places. */
    int mostWorkers();

    /** Returns whether a node may go on although it cannot read what other nodes have written. */
    boolean mayMissWhatOthersDid();

    /** Returns whether the store is for one node at a time, and goes by its clock. */
    boolean isSingle();

    /** Returns whether a node may die, or be taken for dead because it cannot reach the store for long enough. */
    boolean mayLoseNodes();

    /** Returns whether a node may die, or be taken for dead, although no job has killed it. */
    boolean mayDieByChance();

    /** Returns whether nodes may close, which stops what they run. */
    boolean mayClose();

    /**
     * Returns whether the clocks of machines differ and are set. What a store measures by a clock of its own does not
     * depend on it; what it measures by the clock of a node does, if that was set while no node ran.
     */
    boolean mayMisjudgeTime();

    /** Returns whether a handler may be in a call that takes longer than a node waits for it when it closes. */
    boolean mayHang();

    /** Returns whether nodes may stand still for longer than their lease, and go on afterwards. */
    boolean mayStandStill();
}
