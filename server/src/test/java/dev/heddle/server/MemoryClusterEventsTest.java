package dev.heddle.server;

import dev.heddle.env.Environment;
import dev.heddle.memory.MemoryCluster;
import dev.heddle.store.Store;

/** Nodes that are told of each other's events. */
class MemoryClusterEventsTest extends ClusterEventsContract {

    private final MemoryCluster cluster = new MemoryCluster(Environment.system());

    @Override
    Store connect() {
        return cluster.connect();
    }
}
