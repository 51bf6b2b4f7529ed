package dev.heddle.engine;

import java.time.Duration;
import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

import dev.heddle.env.Environment;
import dev.heddle.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Binds a store to one pool, which listens to it and closes it. A second pool on the same store object would take the
 * notifications of the first.
 */
record StoreOwnership(Store store) {

    private static final Logger LOG = LoggerFactory.getLogger(StoreOwnership.class);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(10);
    /** Forgets stores that nobody uses any more, such as those of pools that a test has left open. */
    private static final Set<Store> OWNED = Collections
            .synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    /**
     * Claims the store for one pool.
     *
     * @throws IllegalStateException if another pool has it
     */
    static StoreOwnership acquire(Store store) {
        if (!OWNED.add(store)) {
            throw new IllegalStateException(store.getClass().getSimpleName()
                    + " already has an open pool; use that pool, or open another store");
        }
        return new StoreOwnership(store);
    }

    /**
     * Closes the store on its own thread, because a store that hangs must not block the thread that closes the pool.
     */
    void closeStore(Environment env) {
        Thread closer = env.start("heddle-store-closer", () -> {
            try {
                close();
            } catch (Throwable e) {
                LOG.error("Could not close the store cleanly: {}", e.getMessage(), e);
            }
        });
        try {
            if (!env.join(closer, CLOSE_TIMEOUT)) {
                LOG.warn("The store did not close in time; it may still close in the background");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void close() {
        OWNED.remove(store);
        store.close();
    }
}
