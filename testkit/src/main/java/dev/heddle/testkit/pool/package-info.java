/**
 * The specification of a pool, as tests. Start at {@link dev.heddle.testkit.pool.PoolContract}: it runs every suite of
 * this package on the store that a subclass opens.
 */
@NullMarked
package dev.heddle.testkit.pool;

import org.jspecify.annotations.NullMarked;
