package dev.heddle.control.local;

import dev.heddle.control.Control;
import dev.heddle.control.ControlContract;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;

class LocalControlTest extends ControlContract {

    @Override
    protected Store newStore() {
        return new MemoryStore();
    }

    @Override
    protected Control control(Pool pool) {
        return LocalControl.on(pool);
    }
}
