package dev.heddle.control;

import dev.heddle.pool.Pool;
import dev.heddle.server.HeddleServer;
import dev.heddle.store.MemoryStore;
import dev.heddle.store.Store;
import org.jspecify.annotations.Nullable;

/** The same questions over a real connection. */
class RemoteControlTest extends ControlContract {

    private @Nullable HeddleServer server;

    @Override
    Store newStore() {
        return new MemoryStore();
    }

    @Override
    Control control(Pool pool) {
        server = HeddleServer.on(pool).port(0).start();
        return RemoteControl.at(server.uri(), server.token());
    }

    @Override
    void closeBeside() {
        if (server != null) {
            server.close();
        }
    }
}
