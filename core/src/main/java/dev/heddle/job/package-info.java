/**
 * The words of Heddle: what a job is, what may become of it, and the pure rules that decide.
 *
 * <p>Start at {@link dev.heddle.job.JobType}, which a user declares, and
 * {@link dev.heddle.job.JobHandler}, which a user writes. {@link dev.heddle.job.Transitions} holds the
 * one decision of the engine: what an attempt's outcome does to its job. Nothing here does I/O.
 */
@NullMarked
package dev.heddle.job;

import org.jspecify.annotations.NullMarked;
