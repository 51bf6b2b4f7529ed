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

    /** Returns whether a node may die, or be taken for dead because it cannot reach the store for long enough. */
    boolean mayLoseNodes();

    /** Returns whether nodes may close, which stops what they run. */
    boolean mayClose();

    /** Returns whether nodes may stand still for longer than their lease, and go on afterwards. */
    boolean mayStandStill();
}
