package dev.heddle.simulation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.Optional;

import dev.heddle.memory.MemoryStore;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;

/** A connection of one node to the shared store that takes time, fails, and loses answers as the plan says. */
final class FaultyStore implements InvocationHandler {

    private final MemoryStore store;
    private final SimulatedNode node;
    private final World world;
    private String id = "";

    private FaultyStore(MemoryStore store, SimulatedNode node, World world) {
        this.store = store;
        this.node = node;
        this.world = world;
    }

    static Store connect(MemoryStore store, SimulatedNode node, World world) {
        Class<?>[] interfaces = Arrays.stream(MemoryStore.class.getInterfaces())
                .filter(each -> !each.equals(ClockedStore.class)).toArray(Class<?>[]::new);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), interfaces,
                new FaultyStore(store, node, world));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // what proxies are compared by
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] given) throws Throwable {
        Object[] arguments = given == null ? new Object[0] : given;
        switch (method.getName()) {
            case "capability" -> {
                Class<?> type = (Class<?>) arguments[0];
                return type.isInstance(proxy) ? Optional.of(proxy) : Optional.empty();
            }
            case "hashCode" -> {
                return System.identityHashCode(proxy);
            }
            case "equals" -> {
                return proxy == arguments[0];
            }
            case "toString" -> {
                return "store of " + node.name();
            }
            case "join" -> {
                id = ((NodeRecord) arguments[0]).id();
                world.joined(id, node);
            }
            default -> {
            }
        }
        world.delayCall();
        if (node.isPartitioned() || world.chance(Plan.Fault.ERROR, 30)) {
            throw new StoreException(StoreException.Kind.UNREACHABLE, "simulated: the store cannot be reached");
        }
        Object result = call(method, arguments);
        CommitLog.Commit commit = world.commits().add(method.getName(), arguments, result, id, world.observer());
        world.changed();
        world.delayCall();
        if (node.isPartitioned() || world.chance(Plan.Fault.LOST_REPLY, 30)) {
            commit.lost = true;
            throw new StoreException(StoreException.Kind.UNREACHABLE, "simulated: the answer was lost");
        }
        return result;
    }

    private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
