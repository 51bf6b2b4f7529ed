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
 */
public record NodeRecord(String id, Instant joinedAt, Instant renewedAt, Duration lease, String workers) {}
