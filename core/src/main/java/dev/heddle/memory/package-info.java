/**
 * A store in memory, for tests and for pools whose jobs need not survive the process.
 *
 * <p>Start with {@link dev.heddle.memory.MemoryStore}. It is also the reference implementation of
 * {@link dev.heddle.store.Store}: short enough to read, and held to the same contract suites as the SQL stores.
 */
@NullMarked
package dev.heddle.memory;

import org.jspecify.annotations.NullMarked;
