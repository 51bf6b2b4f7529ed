package dev.heddle.store;

import java.time.Instant;

/**
 * A node as the store knows it.
 *
 * @param workers JSON, the snapshot of its workers at the last renewal
 */
public record NodeRecord(String id, Instant joinedAt, Instant renewedAt, String workers) {}
