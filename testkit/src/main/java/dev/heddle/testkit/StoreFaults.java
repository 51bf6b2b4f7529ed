package dev.heddle.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.store.AdoptionStore;
import dev.heddle.store.ClaimResult;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.SessionStore;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;

/**
 * Wraps a store and injects faults into its calls: they fail, lose their answer, answer late, hang, or refuse some
 * contents.
 */
public final class StoreFaults {

    private final Store real;
    private final Set<String> failing = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> lostAnswers = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> delayed = new ConcurrentHashMap<>();
    private final AtomicInteger failedCalls = new AtomicInteger();
    private final Map<String, String> refused = new ConcurrentHashMap<>();
    private volatile CountDownLatch hanging = new CountDownLatch(0);

    /** Wraps a store; without faults every call passes through. */
    public StoreFaults(Store real) {
        this.real = real;
    }

    /** Returns the store with the faults injected. */
    public Store store() {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(),
                new Class<?>[]{Store.class, AdoptionStore.class, SessionStore.class, ClockedStore.class},
                (proxy, method, arguments) -> method.getName().equals("capability")
                        ? capability(proxy, (Class<?>) arguments[0]) : call(method, arguments));
    }

    /** The real store would return itself, and its calls would bypass the faults. */
    private Optional<Object> capability(Object proxy, Class<?> type) {
        return real.capability(type).isPresent() && type.isInstance(proxy) ? Optional.of(proxy) : Optional.empty();
    }

    private Object call(Method method, Object[] arguments) throws Throwable {
        if (!method.getName().equals("close")) {
            hanging.await();
        }
        if (failing.contains(method.getName())) {
            failedCalls.incrementAndGet();
            throw unreachable("injected fault: the call failed");
        }
        if (method.getName().equals("insert") || method.getName().equals("apply")) {
            requireAccepted(arguments[0].toString());
        }
        Object answer;
        try {
            answer = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (worthLosing(answer)) {
            delayed.getOrDefault(method.getName(), new CountDownLatch(0)).await();
        }
        AtomicInteger left = lostAnswers.get(method.getName());
        if (left != null && worthLosing(answer) && left.getAndDecrement() > 0) {
            throw unreachable("injected fault: the answer was lost");
        }
        return answer;
    }

    private void requireAccepted(String batch) {
        refused.forEach((text, why) -> {
            if (batch.contains(text)) {
                throw new StoreException(StoreException.Kind.REJECTED, why);
            }
        });
    }

    /** A claim without jobs is not worth losing: nothing would happen. */
    private static boolean worthLosing(Object answer) {
        return !(answer instanceof ClaimResult claimed) || !claimed.claims().isEmpty();
    }

    private static StoreException unreachable(String why) {
        return new StoreException(StoreException.Kind.UNREACHABLE, why);
    }

    /** Lets all calls of these methods fail without any effect. */
    public void fail(String... methods) {
        failing.addAll(List.of(methods));
    }

    /**
     * Lets the next calls of a method take effect and then fail, as if the connection broke before the answer arrived.
     */
    public void loseAnswers(String method, int count) {
        lostAnswers.put(method, new AtomicInteger(count));
    }

    /** Lets calls of a method take effect at once but return only after {@link #heal}. */
    public void delayAnswers(String method) {
        delayed.put(method, new CountDownLatch(1));
    }

    /** Lets all calls but {@code close} wait until {@link #heal}, as those of a stopped process do. */
    public void hang() {
        hanging = new CountDownLatch(1);
    }

    /**
     * Refuses to write anything that contains a text, together with all that is to be written with it, as a database
     * does with a value that it cannot keep.
     *
     * @param why the message of the refusal
     */
    public void refuse(String text, String why) {
        refused.put(text, why);
    }

    /** Removes all faults, except for contents that are refused, and lets waiting calls continue. */
    public void heal() {
        failing.clear();
        lostAnswers.clear();
        delayed.values().forEach(CountDownLatch::countDown);
        hanging.countDown();
    }

    /** Returns how many calls have {@linkplain #fail failed}. */
    public int failedCalls() {
        return failedCalls.get();
    }
}
