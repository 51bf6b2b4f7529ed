package dev.heddle.waiting;

import java.util.List;

import dev.heddle.worker.WorkerSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * A living node as far as it is known.
 *
 * @param id the id of the node
 * @param status what it would start; null if the node has not said
 * @param workers its workers
 */
public record LivingNode(String id, @Nullable NodeStatus status, List<WorkerSnapshot> workers) {

    /** Copies the list. */
    public LivingNode {
        workers = List.copyOf(workers);
    }
}
