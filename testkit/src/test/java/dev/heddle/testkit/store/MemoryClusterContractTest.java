package dev.heddle.testkit.store;

import dev.heddle.env.Environment;
import dev.heddle.memory.MemoryCluster;
import dev.heddle.memory.MemoryStore;
import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;

class MemoryClusterContractTest extends StoreContract {

    private MemoryCluster cluster = new MemoryCluster(Environment.system());

    @Override
    protected Store newStore() {
        cluster = new MemoryCluster(Environment.system());
        return cluster.connect();
    }

    /** Leaves the first connection open, like that of a node that hangs: only its lease tells that it is dead. */
    @Override
    protected Store reopen(Store store) {
        return cluster.connect();
    }

    @Override
    protected void follow(Store store, ManualClock clock) {
        ((MemoryStore) store).useClock(Environment.system().withClock(clock));
    }
}
