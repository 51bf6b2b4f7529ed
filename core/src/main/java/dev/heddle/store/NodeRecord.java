package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;

/**
 * A node as the store knows it.
 *
 * @param id the id of the node
 * @param joinedAt when it joined
 * @param renewedAt when it last renewed its lease
 * @param lease how long it counts as alive after a renewal
 * @param workers a snapshot of its workers at the last renewal, as JSON
 * @param status what it would start at the last renewal, as the JSON of a {@code NodeStatus}; {@link #UNKNOWN} if it
 *     does not say
 */
public record NodeRecord(String id, Instant joinedAt, Instant renewedAt, Duration lease, String workers,
        String status) {

    /** The status of a node that does not say what it would start. */
    public static final String UNKNOWN = "{}";

    /** Creates the record of a node that does not say what it would start. */
    public NodeRecord(String id, Instant joinedAt, Instant renewedAt, Duration lease, String workers) {
        this(id, joinedAt, renewedAt, lease, workers, UNKNOWN);
    }
}
