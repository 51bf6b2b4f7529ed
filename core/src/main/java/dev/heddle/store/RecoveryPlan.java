package dev.heddle.store;

import java.util.List;

/**
 * Decides what happens to the jobs that dead nodes held. Called within the transaction of the store, so it must not do
 * I/O.
 */
@FunctionalInterface
public interface RecoveryPlan {

    /** Returns exactly one recovery for each orphan, in any order. */
    List<Recovery> decide(List<Orphan> orphans);
}
