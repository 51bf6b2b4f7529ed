package dev.heddle.control.model;

import java.time.Duration;
import java.time.Instant;

/**
 * A node that shares the store.
 *
 * @param id the id
 * @param joinedAt when it joined the store
 * @param renewedAt when it last renewed its lease
 * @param lease how long it counts as alive after a renewal
 * @param alive whether its lease was valid, by the clock of the process that answered
 * @param self whether this is the node that answered
 * @param workers the number of its workers
 * @param busy the number of its workers that run a job
 */
public record NodeView(String id, Instant joinedAt, Instant renewedAt, Duration lease, boolean alive, boolean self,
        int workers, int busy) {}
