/**
 * The engine: takes jobs, claims them, runs them on workers and writes what became of them.
 *
 * <p>{@link dev.heddle.pool.Pool} is the entry point of the library. Behind it a job goes
 * {@code Intake → Store → Dispatcher → WorkerGroup → Runner → Transitions → Ledger → Store → listeners};
 * each of these is a class here, and {@code ARCHITECTURE.md} draws the way.
 */
@NullMarked
package dev.heddle.pool;

import org.jspecify.annotations.NullMarked;
