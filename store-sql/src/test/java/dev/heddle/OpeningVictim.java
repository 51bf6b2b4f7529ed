package dev.heddle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.heddle.pool.Pool;
import dev.heddle.store.Store;

/** A node without any handler that recovers what it finds, and is killed at some moment of it. */
final class OpeningVictim {

    /** Said before each look for dead nodes. */
    static final String RECOVERING = "RECOVERING";

    private OpeningVictim() {}

    /** Argument: the place of the store. */
    public static void main(String[] args) throws InterruptedException {
        try (Pool _ = Pool.on(telling(Places.open(args[0]))).lease(Duration.ofMillis(1_500))
                .renewEvery(Duration.ofMillis(200)).open()) {
            new CountDownLatch(1).await();
        }
    }

    private static Store telling(Store real) {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), new Class<?>[]{Store.class},
                (_, method, arguments) -> {
                    if (method.getName().equals("recover")) {
                        System.out.println(RECOVERING);
                    }
                    try {
                        return method.invoke(real, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
