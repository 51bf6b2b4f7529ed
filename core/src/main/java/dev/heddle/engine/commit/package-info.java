/**
 * Writes outcomes and reports them. Internal, not API.
 *
 * <p>{@link dev.heddle.engine.commit.Ledger} writes the changes of all attempts in groups, each under its fence.
 * {@link dev.heddle.engine.commit.AfterCommit} runs once a change is durable: it counts, logs, completes the futures of
 * callers that wait, and calls listeners.
 */
@NullMarked
package dev.heddle.engine.commit;

import org.jspecify.annotations.NullMarked;
