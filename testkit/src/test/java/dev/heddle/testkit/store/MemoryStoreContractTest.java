package dev.heddle.testkit.store;

import dev.heddle.memory.MemoryStore;
import dev.heddle.store.Store;

class MemoryStoreContractTest extends StoreContract {

    @Override
    protected Store newStore() {
        return new MemoryStore();
    }

    @Override
    protected Store reopen(Store store) {
        return store;
    }
}
