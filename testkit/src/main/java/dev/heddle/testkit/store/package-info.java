/**
 * The specification of a store, as tests. Start at {@link dev.heddle.testkit.store.StoreContract}: it runs every suite
 * of this package against the store that a subclass opens.
 */
@NullMarked
package dev.heddle.testkit.store;

import org.jspecify.annotations.NullMarked;
