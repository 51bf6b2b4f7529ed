package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** What a node learns when it renews its lease. */
public sealed interface Renewal {

    /**
     * The store has one node at a time: there is no lease to lose.
     *
     * @param cancelled the attempts that should stop, because their job or its parent ended under them
     * @param expired nodes of earlier times whose attempts were kept for their machine, and are no longer
     */
    record Alone(List<Held> cancelled, Set<String> expired) implements Renewal {}

    /**
     * The lease runs on.
     *
     * @param held every attempt that the store has for this node
     * @param expired nodes whose lease has ended and whom this node may declare dead
     */
    record Kept(List<Held> held, Set<String> expired) implements Renewal {}

    /** The node was declared dead and its jobs were released; it can only come back under a new id. */
    record Dead() implements Renewal {}

    /**
     * An attempt of this node.
     *
     * @param state ASSIGNED or RUNNING; CANCELLED where it should stop
     * @param reason why it should stop; null where it should not
     */
    record Held(Fence fence, JobState state, Instant assignedAt, @Nullable String reason) {}
}
