package dev.heddle.memory;

import java.util.function.BiConsumer;

import dev.heddle.env.Environment;

import static java.util.Objects.requireNonNull;

/**
 * A store in memory for several nodes of one process, which share it as nodes share a PostgreSQL database: with leases,
 * notifications and recovery by survivors. It serves tests and simulations of clusters.
 *
 * {@snippet :
 * MemoryCluster cluster = new MemoryCluster(Environment.system());
 * try (Pool first = Pool.on(cluster.connect()).open(); Pool second = Pool.on(cluster.connect()).open()) {
 *     first.submit(mail, payload); // either node may run it
 * }
 * }
 */
public final class MemoryCluster {

    private final MemoryData data;

    /** Creates an empty store that goes by the clocks of an environment. */
    public MemoryCluster(Environment env) {
        this(env, (_, notification) -> notification.run());
    }

    /**
     * Creates an empty store with another delivery of notifications, which may come late or never.
     *
     * @param delivery gets the id of a node and the notification to run
     */
    public MemoryCluster(Environment env, BiConsumer<String, Runnable> delivery) {
        this.data = new MemoryData(new LeasedNodes(requireNonNull(env, "env")), env,
                requireNonNull(delivery, "delivery"));
    }

    /** Returns the store for one more node. Closing it ends that node and leaves the jobs to the others. */
    public MemoryStore connect() {
        return new MemoryStore(data, true);
    }
}
