package dev.heddle.testkit;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.store.AdoptionStore;
import dev.heddle.store.Claimed;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;

/** The line between a node and its store, to be cut, to lose answers, or to hang. */
public final class Wire {

    private final Store real;
    private final Set<String> cut = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicInteger> losing = new ConcurrentHashMap<>();
    private final Map<String, CountDownLatch> late = new ConcurrentHashMap<>();
    private final AtomicInteger refused = new AtomicInteger();
    private volatile CountDownLatch hanging = new CountDownLatch(0);

    public Wire(Store real) {
        this.real = real;
    }

    /** The store as seen through the wire. */
    public Store store() {
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(),
                new Class<?>[]{Store.class, AdoptionStore.class},
                (_, method, arguments) -> pass(method, arguments));
    }

    private Object pass(Method method, Object[] arguments) throws Throwable {
        if (!method.getName().equals("close")) {
            hanging.await();
        }
        if (cut.contains(method.getName())) {
            refused.incrementAndGet();
            throw unreachable("the line is cut");
        }
        Object answer;
        try {
            answer = method.invoke(real, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
        if (worthLosing(answer)) {
            late.getOrDefault(method.getName(), new CountDownLatch(0)).await();
        }
        AtomicInteger left = losing.get(method.getName());
        if (left != null && worthLosing(answer) && left.getAndDecrement() > 0) {
            throw unreachable("the answer was lost");
        }
        return answer;
    }

    /** A claim that brought nothing loses nothing. */
    private static boolean worthLosing(Object answer) {
        return !(answer instanceof Claimed claimed) || !claimed.jobs().isEmpty();
    }

    private static StoreException unreachable(String why) {
        return new StoreException(StoreException.Kind.UNREACHABLE, why);
    }

    /** These methods fail, and nothing of them happens. */
    public void cut(String... methods) {
        cut.addAll(List.of(methods));
    }

    /** The next answers of a method are lost: what it does happens. */
    public void lose(String method, int count) {
        losing.put(method, new AtomicInteger(count));
    }

    /** The answers of a method come only once the wire is mended: what it does happens before. */
    public void delay(String method) {
        late.put(method, new CountDownLatch(1));
    }

    /** All calls wait, as those of a stopped process do. */
    public void hang() {
        hanging = new CountDownLatch(1);
    }

    /** Everything works again. */
    public void mend() {
        cut.clear();
        losing.clear();
        late.values().forEach(CountDownLatch::countDown);
        hanging.countDown();
    }

    /** How many calls met the cut. */
    public int refused() {
        return refused.get();
    }
}
