/**
 * The SPI for stores. Start with {@link dev.heddle.store.Store}: about 15 methods, each one transaction over a batch.
 *
 * <p>A store writes what it is told and checks the {@link dev.heddle.store.Fence}; it decides nothing. Optional
 * capabilities, such as {@link dev.heddle.store.SessionStore}, are interfaces that a store may implement as well.
 * {@link dev.heddle.memory.MemoryStore} is the reference implementation, and every store passes the
 * {@code StoreContract} of the testkit.
 */
@NullMarked
package dev.heddle.store;

import org.jspecify.annotations.NullMarked;
