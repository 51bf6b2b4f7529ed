/**
 * What it takes to test Heddle and what is built on it. Start at {@link dev.heddle.testkit.StoreContract}, which
 * every store passes: extend it, say how to open the store, and its tests are yours.
 * {@link dev.heddle.testkit.ManualClock} is the time for everything that takes an
 * {@link java.time.InstantSource}; {@link dev.heddle.testkit.ChildJvm} and
 * {@link dev.heddle.testkit.PostgresServer} are there to be killed.
 */
@NullMarked
package dev.heddle.testkit;

import org.jspecify.annotations.NullMarked;
