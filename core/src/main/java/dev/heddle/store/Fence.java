package dev.heddle.store;

/**
 * The right of an attempt to write. Every write of an attempt carries its fence, and takes effect only while the job is
 * in this attempt on this node. A late write of an attempt that lost its job changes nothing.
 *
 * @param seq the job, by its place in the order of submission
 * @param attempt the number of the attempt
 * @param node the node that holds the job
 */
public record Fence(long seq, int attempt, String node) {}
