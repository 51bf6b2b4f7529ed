package dev.heddle.control;

import java.time.Duration;
import java.time.Instant;

/**
 * A node as the store knows it.
 *
 * @param lease how long it counts as alive after a renewal
 * @param alive whether its lease still ran when this was asked, by the clock of whoever answered
 * @param self whether this is the node that answered
 * @param workers how many it has
 * @param busy how many of them run a job
 */
public record NodeView(String id, Instant joinedAt, Instant renewedAt, Duration lease, boolean alive,
        boolean self,
        int workers, int busy) {}
