/**
 * The one SPI of the engine: {@link dev.heddle.store.Store}, some 15 methods, each one transaction over a
 * batch. {@link dev.heddle.store.MemoryStore} is the reference implementation; every store passes the
 * {@code StoreContract} of the testkit.
 *
 * <p>A store writes what it is told and checks the {@link dev.heddle.store.Fence}; it decides nothing.
 */
@NullMarked
package dev.heddle.store;

import org.jspecify.annotations.NullMarked;
