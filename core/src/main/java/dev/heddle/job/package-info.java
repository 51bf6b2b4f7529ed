/**
 * The vocabulary of Heddle: job types, requests, handlers, states, and the pure rules that decide what happens to a
 * job.
 *
 * <p>Start with {@link dev.heddle.job.JobType}, which an application declares, and {@link dev.heddle.job.JobHandler},
 * which it implements. {@link dev.heddle.job.Transitions} decides what the outcome of an attempt means for its job.
 * Nothing here does I/O.
 */
@NullMarked
package dev.heddle.job;

import org.jspecify.annotations.NullMarked;
