package dev.heddle.store;

import dev.heddle.job.Job;

/**
 * A job that a dead node held.
 *
 * @param startCommitted whether its RUNNING was committed before its handler started, so that the death of
 *        the node is counted as its crash
 * @param hasCheckpoint whether an attempt saved where to go on
 */
public record Orphan(Job job, boolean startCommitted, boolean hasCheckpoint) {}
