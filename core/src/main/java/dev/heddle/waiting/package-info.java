/**
 * Explains why a job does not run. Start at {@link dev.heddle.pool.PoolAdmin#why}, which returns a
 * {@link dev.heddle.waiting.JobExplanation}. A store reads the facts ({@link dev.heddle.waiting.WaitStore}), nodes
 * publish what only they know ({@link dev.heddle.waiting.NodeStatus}), and {@code WaitRules} decides, without I/O.
 */
@NullMarked
package dev.heddle.waiting;

import org.jspecify.annotations.NullMarked;
