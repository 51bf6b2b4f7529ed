/**
 * Runs attempts on workers. Internal, not API.
 *
 * <p>{@link dev.heddle.engine.execute.WorkerGroup} assigns claims to workers,
 * {@link dev.heddle.engine.execute.AttemptRunner} runs one attempt from start to outcome, and
 * {@link dev.heddle.engine.execute.Watchdog} stops attempts that run too long or fall silent.
 */
@NullMarked
package dev.heddle.engine.execute;

import org.jspecify.annotations.NullMarked;
