/**
 * Tools to test a store, a pool, or an application that uses them.
 *
 * <p>If you write a store, start at {@link dev.heddle.testkit.store.StoreContract} and
 * {@link dev.heddle.testkit.pool.PoolContract}: extend them, tell them how to open your store, and run their tests. If
 * you test an application, {@link dev.heddle.testkit.ManualClock} replaces the time of a pool. To test crashes, kill a
 * {@link dev.heddle.testkit.ChildJvm}, crash a {@link dev.heddle.testkit.PostgresServer}, let a {@link
 * dev.heddle.testkit.CrashedNode} leave its jobs behind, or inject {@link dev.heddle.testkit.StoreFaults}.
 */
@NullMarked
package dev.heddle.testkit;

import org.jspecify.annotations.NullMarked;
