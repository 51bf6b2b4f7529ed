package dev.heddle.store;

/**
 * Who may write for an attempt: every write of an attempt carries it, and matches only while the store still
 * has the job in this attempt on this node.
 */
public record Fence(long seq, int attempt, String node) {}
