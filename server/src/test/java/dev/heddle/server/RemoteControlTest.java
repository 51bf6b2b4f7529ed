package dev.heddle.server;

import dev.heddle.control.Control;
import dev.heddle.control.ControlContract;
import dev.heddle.control.RemoteControl;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;

/** Runs the contract against a server over a real connection. */
class RemoteControlTest extends ControlContract {

    private @Nullable HeddleServer server;

    @Override
    protected Store newStore() {
        return new MemoryStore();
    }

    @Override
    protected Control control(Pool pool) {
        server = HeddleServer.on(pool).port(0).start();
        return RemoteControl.at(server.uri(), server.token());
    }

    @Override
    protected void closeResources() {
        if (server != null) {
            server.close();
        }
    }
}
