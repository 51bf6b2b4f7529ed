package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;

/**
 * A node as the store knows it.
 *
 * @param lease how long it counts as alive after a renewal
 * @param workers JSON, the snapshot of its workers at the last renewal
 */
public record NodeRecord(String id, Instant joinedAt, Instant renewedAt, Duration lease, String workers) {}
