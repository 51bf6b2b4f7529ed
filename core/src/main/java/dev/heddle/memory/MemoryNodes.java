package dev.heddle.memory;

import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.store.NodeRecord;

/** The nodes that a memory store knows, and which of them are alive. Guarded by the lock of the store. */
interface MemoryNodes {

    /** Adds a node; returns whether the store is shared, so that the node has a lease. */
    boolean join(NodeRecord node);

    /** Renews a node, unless it was removed: such a node stays dead, because its jobs were recovered. */
    Standing renew(NodeRecord node);

    /**
     * What a node may do after a renewal.
     *
     * @param alive whether it was renewed
     * @param steady whether it may declare others dead
     * @param expired the nodes whose lease has ended
     */
    record Standing(boolean alive, boolean steady, Set<String> expired) {

        static final Standing DEAD = new Standing(false, false, Set.of());
    }

    /**
     * Returns the nodes whose jobs a survivor recovers: those that have no lease any more.
     *
     * @param holders the nodes that hold jobs
     */
    Set<String> dead(String survivor, Set<String> holders);

    /** Removes nodes that were declared dead. */
    void remove(Set<String> dead);

    /** A node ends. */
    void leave(String node, boolean holdsJobs);

    /** Returns whether a node may claim jobs. */
    boolean mayClaim(String node);

    /** Returns all nodes that were not removed, the oldest first. */
    List<NodeRecord> list();

    /** Returns the record of a node as the store keeps it. */
    static NodeRecord record(NodeRecord node, Instant joinedAt, Instant renewedAt) {
        return new NodeRecord(node.id(), MemoryRow.millis(joinedAt), MemoryRow.millis(renewedAt), node.lease(),
                node.workers(), node.status());
    }
}
