package dev.heddle.simulation;

import java.util.function.BiConsumer;

import dev.heddle.env.Environment;
import dev.heddle.memory.MemoryCluster;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** What the nodes of a simulation keep their jobs in. It outlives all of them. */
sealed interface SimulatedStore {

    /** Returns a connection without faults. */
    MemoryStore observer();

    /**
     * Connects a node.
     *
     * @throws StoreException if another node has the store
     */
    MemoryStore connect(SimulatedNode node);

    /**
     * Creates an empty store.
     *
     * @param server the time of a store that has a clock of its own
     * @param delivery delivers the notifications of a shared store
     */
    static SimulatedStore of(Plan.Sharing sharing, Environment server, BiConsumer<String, Runnable> delivery) {
        return switch (sharing) {
            case SINGLE -> new Single(server);
            case SHARED -> new Shared(new MemoryCluster(server, delivery));
        };
    }

    /** For many nodes. */
    final class Shared implements SimulatedStore {
        private final MemoryCluster cluster;
        private final MemoryStore observer;

        private Shared(MemoryCluster cluster) {
            this.cluster = cluster;
            this.observer = cluster.connect();
        }

        @Override
        public MemoryStore observer() {
            return observer;
        }

        @Override
        public MemoryStore connect(SimulatedNode node) {
            return cluster.connect();
        }
    }

    /** For one node at a time. */
    final class Single implements SimulatedStore {
        private final MemoryStore store = new MemoryStore();
        private @Nullable SimulatedNode holder;

        private Single(Environment first) {
            store.useClock(first);
        }

        @Override
        public MemoryStore observer() {
            return store;
        }

        @Override
        public MemoryStore connect(SimulatedNode node) {
            SimulatedNode last = holder;
            if (last != null && !last.equals(node) && !last.process().isDead()) {
                throw new StoreException(StoreException.Kind.UNREACHABLE,
                        "simulated: " + last.name() + " has the store");
            }
            holder = node;
            return store;
        }
    }
}
