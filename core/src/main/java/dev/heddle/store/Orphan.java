package dev.heddle.store;

import dev.heddle.job.Job;

/**
 * A job that a dead node held.
 *
 * @param care how its attempt was started; NONE where it never was
 * @param hasCheckpoint whether an attempt saved where to go on
 */
public record Orphan(Job job, Care care, boolean hasCheckpoint) {}
