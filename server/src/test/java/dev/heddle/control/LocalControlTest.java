package dev.heddle.control;

import dev.heddle.pool.Pool;
import dev.heddle.store.MemoryStore;
import dev.heddle.store.Store;

class LocalControlTest extends ControlContract {

    @Override
    Store newStore() {
        return new MemoryStore();
    }

    @Override
    Control control(Pool pool) {
        return LocalControl.on(pool);
    }
}
