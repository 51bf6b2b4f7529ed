package dev.heddle.testkit;

import java.util.Optional;

import dev.heddle.store.Store;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Access to the optional capabilities of a store. A test of a capability is skipped if the store does not offer it. */
public final class StoreCapabilities {

    private StoreCapabilities() {}

    /**
     * Returns a capability of the store, such as {@code SessionStore}.
     *
     * @throws org.opentest4j.TestAbortedException if the store does not offer it, which reports the test as skipped
     */
    public static <T> T require(Store store, Class<T> capability) {
        requireNonNull(store, "store");
        requireNonNull(capability, "capability");
        Optional<T> offered = store.capability(capability);
        assumeTrue(offered.isPresent(), () -> store.getClass().getSimpleName()
                + " does not offer the optional capability " + capability.getSimpleName());
        return offered.orElseThrow();
    }
}
