package dev.heddle.testkit.pool;

import dev.heddle.env.Environment;
import dev.heddle.memory.MemoryCluster;
import dev.heddle.store.Store;
import dev.heddle.testkit.ManualClock;

class MemoryClusterPoolContractTest extends PoolContract {

    private MemoryCluster cluster = new MemoryCluster(Environment.system());

    @Override
    protected Store newStore() {
        cluster = new MemoryCluster(Environment.system());
        return openAgain();
    }

    @Override
    protected Store openAgain() {
        return cluster.connect();
    }

    @Override
    protected void follow(ManualClock clock) {
        cluster.connect().useClock(Environment.system().withClock(clock));
    }

    @Override
    protected boolean isShared() {
        return true;
    }
}
