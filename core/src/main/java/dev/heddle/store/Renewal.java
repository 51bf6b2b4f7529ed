package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** What a node learns when it renews its lease. */
public sealed interface Renewal {

    /**
     * The store is for one node at a time, so there is no lease to lose.
     *
     * @param cancelled the attempts that should stop, because their job or its parent was ended
     * @param expired earlier nodes whose attempts were reserved for their machine, and no longer are
     */
    record SingleNode(List<HeldAttempt> cancelled, Set<String> expired) implements Renewal {}

    /**
     * The lease was renewed.
     *
     * @param held every attempt that the store has for this node
     * @param expired nodes whose lease has ended, so this node may recover their jobs
     */
    record Renewed(List<HeldAttempt> held, Set<String> expired) implements Renewal {}

    /** The node was declared dead and its jobs were recovered. It has to join again under a new id. */
    record Dead() implements Renewal {}

    /**
     * An attempt that the store has for this node.
     *
     * @param fence the attempt
     * @param state ASSIGNED or RUNNING; CANCELLED if the attempt should stop
     * @param assignedAt when the node claimed the job
     * @param reason why the attempt should stop; null if it should not
     */
    record HeldAttempt(Fence fence, JobState state, Instant assignedAt, @Nullable String reason) {}
}
