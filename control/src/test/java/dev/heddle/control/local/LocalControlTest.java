package dev.heddle.control.local;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.control.Control;
import dev.heddle.control.ControlContract;
import dev.heddle.memory.MemoryStore;
import dev.heddle.pool.Pool;
import dev.heddle.store.Store;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LocalControlTest extends ControlContract {

    @Override
    protected Store newStore() {
        return new MemoryStore();
    }

    @Override
    protected Control control(Pool pool) {
        return LocalControl.on(pool);
    }

    /** With many jobs, counting them is what a question about statistics costs. */
    @Test
    void countsJobsOnlyOnceForStatistics() {
        AtomicInteger counts = new AtomicInteger();
        Store real = new MemoryStore();
        Store counted = (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, method, arguments) -> {
                    counts.addAndGet(method.getName().equals("countJobs") ? 1 : 0);
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (Pool pool = Pool.on(counted).open(); Control control = LocalControl.on(pool)) {
            counts.set(0);
            control.stats();
            assertThat(counts).hasValue(1);
        }
    }
}
