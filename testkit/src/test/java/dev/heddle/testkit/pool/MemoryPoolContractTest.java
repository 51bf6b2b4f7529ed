package dev.heddle.testkit.pool;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

import dev.heddle.memory.MemoryStore;
import dev.heddle.store.Store;

class MemoryPoolContractTest extends PoolContract {

    private MemoryStore memory = new MemoryStore();

    @Override
    protected Store newStore() {
        memory = new MemoryStore();
        return openAgain();
    }

    /** Ignores close, because a pool closes its store and a closed memory store loses its jobs. */
    @Override
    protected Store openAgain() {
        MemoryStore kept = memory;
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), MemoryStore.class.getInterfaces(),
                (_, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(kept, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
