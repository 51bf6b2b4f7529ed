package dev.heddle.testkit;

import dev.heddle.store.MemoryStore;
import dev.heddle.store.Store;

class MemoryPoolContractTest extends PoolContract {

    @Override
    protected Store newStore() {
        return new MemoryStore();
    }

    @Override
    protected Store openAgain() {
        return new MemoryStore();
    }
}
