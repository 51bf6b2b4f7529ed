package dev.heddle.engine.cluster;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal.HeldAttempt;

/**
 * The differences between the attempts that the store has for this node and those that the node knows.
 *
 * @param unknown attempts that only the store knows: the answers to their claims were lost
 * @param lost attempts that only this node knows: their jobs were taken away
 * @param cancelled attempts whose jobs were cancelled meanwhile: known here, detached, or just being claimed
 */
record Reconciliation(List<HeldAttempt> unknown, Set<Fence> lost, List<HeldAttempt> cancelled) {

    /** Returns the differences for a store without other nodes, in which only a cancellation can happen elsewhere. */
    static Reconciliation ofCancelled(List<HeldAttempt> cancelled) {
        return new Reconciliation(List.of(), Set.of(), cancelled);
    }

    /**
     * Compares what the store has for this node with what the node knows.
     *
     * @param before what the node knew before it asked; a claim made since is not lost
     * @param after what it knew when the answer arrived; an attempt that ended since is not lost
     * @param overdue the attempts whose claims must have been answered by now; other answers may be on their way
     */
    static Reconciliation of(List<HeldAttempt> held, Set<Fence> before, Set<Fence> after, Set<Fence> overdue) {
        List<HeldAttempt> unknown = new ArrayList<>();
        List<HeldAttempt> cancelled = new ArrayList<>();
        Set<Fence> lost = new HashSet<>(before);
        lost.retainAll(after);
        for (HeldAttempt attempt : held) {
            lost.remove(attempt.fence());
            if (!after.contains(attempt.fence()) && overdue.contains(attempt.fence())) {
                unknown.add(attempt);
            } else if (attempt.state() == JobState.CANCELLED) {
                cancelled.add(attempt);
            }
        }
        return new Reconciliation(unknown, lost, cancelled);
    }
}
