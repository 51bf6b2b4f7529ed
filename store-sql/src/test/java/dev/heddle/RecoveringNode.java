package dev.heddle;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

import dev.heddle.pool.Pool;
import dev.heddle.store.Store;

/** A node without handlers that recovers what it finds. The test kills it at some moment. */
final class RecoveringNode {

    /** Printed before each call of {@code recover}. */
    static final String RECOVERING = "RECOVERING";

    private RecoveringNode() {}

    /** Argument: the location of the store. */
    public static void main(String[] args) throws InterruptedException {
        try (Pool _ = Pool.on(announcing(StoreLocations.open(args[0]))).lease(Duration.ofMillis(1_500))
                .renewEvery(Duration.ofMillis(200)).open()) {
            new CountDownLatch(1).await();
        }
    }

    private static Store announcing(Store real) {
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
