package dev.heddle.benchmarks.heddle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.heddle.store.Store;

/** Wraps a store and measures the first recovery that finds orphans. */
final class RecoveryTimingStore {

    private final CompletableFuture<Long> recovery = new CompletableFuture<>();
    private final Store real;

    RecoveryTimingStore(Store real) {
        this.real = real;
    }

    Store store() {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, method, arguments) -> {
                    long from = System.nanoTime();
                    try {
                        Object answer = method.invoke(real, arguments);
                        if (method.getName().equals("recover") && !((List<?>) answer).isEmpty()) {
                            recovery.complete(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - from));
                        }
                        return answer;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** Returns the duration in milliseconds. */
    long recovery() throws Exception {
        return recovery.get(60, TimeUnit.SECONDS);
    }
}
