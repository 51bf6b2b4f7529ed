package dev.heddle.pool;

import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

import dev.heddle.store.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store that belongs to a pool: it hears of what happens there, and closes it. Two would take each other's news.
 */
record Tenure(Store store) {

    private static final Logger LOG = LoggerFactory.getLogger(Pool.class);
    private static final Duration STORE_CLOSES = Duration.ofSeconds(10);
    private static final Set<Store> TAKEN = Collections
            .synchronizedSet(Collections.newSetFromMap(new IdentityHashMap<>()));

    /**
     * @throws IllegalStateException where another pool has it
     */
    static Tenure of(Store store) {
        if (!TAKEN.add(store)) {
            throw new IllegalStateException(store.getClass().getSimpleName()
                    + " has an open pool already; use that one, or give this one a store of its own");
        }
        return new Tenure(store);
    }

    /** Beside this thread: a store that hangs must not keep whoever closes the pool. */
    void end(Threads threads) {
        threads.start("store-closer", () -> {
            try {
                close();
            } catch (RuntimeException e) {
                LOG.error("The store could not be closed in order: {}", e.getMessage(), e);
            }
        });
        if (!threads.join("store-closer", STORE_CLOSES)) {
            LOG.warn("The store does not answer and is left to close by itself");
        }
    }

    void close() {
        TAKEN.remove(store);
        store.close();
    }
}
