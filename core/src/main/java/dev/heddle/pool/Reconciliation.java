package dev.heddle.pool;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal.Held;

/**
 * How the attempts that the store has for this node differ from those the node knows.
 *
 * @param unknown held there and not known here: claims whose answer was lost
 * @param lost known here and not held there any more
 * @param cancelled there meanwhile: known here, left to go on by itself, or a claim on its way here
 */
record Reconciliation(List<Held> unknown, Set<Fence> lost, List<Held> cancelled) {

    /** Where nothing else can differ, because the store has no other node. */
    static Reconciliation ofCancelled(List<Held> cancelled) {
        return new Reconciliation(List.of(), Set.of(), cancelled);
    }

    /**
     * @param before what the node knew before it asked, so that a claim made since does not count as lost
     * @param after what it knew when the answer was there, so that an end written since does not either
     * @param youngest claims made after this may still be on their way here
     */
    static Reconciliation of(List<Held> held, Set<Fence> before, Set<Fence> after, Instant youngest) {
        List<Held> unknown = new ArrayList<>();
        List<Held> cancelled = new ArrayList<>();
        Set<Fence> lost = new HashSet<>(before);
        lost.retainAll(after);
        for (Held attempt : held) {
            lost.remove(attempt.fence());
            if (!after.contains(attempt.fence()) && attempt.assignedAt().isBefore(youngest)) {
                unknown.add(attempt);
            } else if (attempt.state() == JobState.CANCELLED) {
                cancelled.add(attempt);
            }
        }
        return new Reconciliation(unknown, lost, cancelled);
    }
}
