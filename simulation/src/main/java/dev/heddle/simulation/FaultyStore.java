package dev.heddle.simulation;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.memory.MemoryStore;
import dev.heddle.store.ClockedStore;
import dev.heddle.store.NodeRecord;
import dev.heddle.store.Store;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import org.jspecify.annotations.Nullable;

/** A connection of one node to the store that takes time, fails, and loses answers as the plan says. */
final class FaultyStore implements InvocationHandler {

    private final MemoryStore store;
    private final SimulatedNode node;
    private final World world;
    private final boolean single;
    /** The JVM of a simulation gives all objects the same. */
    private final int hash;
    private String id = "";
    private boolean closed;

    private FaultyStore(MemoryStore store, SimulatedNode node, World world) {
        this.store = store;
        this.node = node;
        this.world = world;
        this.hash = Objects.hash(world.plan().seed(), node.name(), world.now());
        this.single = world.plan().sharing() == Plan.Sharing.SINGLE;
    }

    static Store connect(MemoryStore store, SimulatedNode node, World world) {
        FaultyStore faulty = new FaultyStore(store, node, world);
        Class<?>[] interfaces = Arrays.stream(MemoryStore.class.getInterfaces())
                .filter(each -> faulty.single || !each.equals(ClockedStore.class)).toArray(Class<?>[]::new);
        return (Store) Proxy.newProxyInstance(Store.class.getClassLoader(), interfaces, faulty);
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
                return hash;
            }
            case "equals" -> {
                return proxy == arguments[0];
            }
            case "toString" -> {
                return "store of " + node.name();
            }
            case "useClock" -> {
                return call(method, arguments);
            }
            case "join" -> {
                id = ((NodeRecord) arguments[0]).id();
                world.joined(id, node);
                arguments[1] = single ? new Relay((StoreListener) arguments[1], node, world) : arguments[1];
            }
            default -> {
            }
        }
        world.delayCall(node.process());
        if (node.isPartitioned() || world.chance(Plan.Fault.ERROR, 30)) {
            throw new StoreException(StoreException.Kind.UNREACHABLE, "simulated: the store cannot be reached");
        }
        Object result = call(method, arguments);
        CommitLog.Commit commit = world.commits().add(method.getName(), arguments, result, id, world.observer());
        world.committed(arguments, result);
        world.delayCall(node.process());
        // What a node has to itself is part of its process, which learns what was committed or dies.
        if (!single && (node.isPartitioned() || world.chance(Plan.Fault.LOST_REPLY, 30))) {
            commit.lost = true;
            throw new StoreException(StoreException.Kind.UNREACHABLE, "simulated: the answer was lost");
        }
        return result;
    }

    /** The data of a single store outlives its node, so it is not closed with it. */
    private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
        if (single && method.getName().equals("close")) {
            closed = true;
            return null;
        }
        if (closed) {
            throw new StoreException(StoreException.Kind.CLOSED, "simulated: the store was closed");
        }
        try {
            return method.invoke(store, arguments);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    /** Notifies a node on a thread of its own: a thread of a dead node may have died with a lock. */
    private record Relay(StoreListener listener, SimulatedNode node, World world) implements StoreListener {

        @Override
        public void workAvailable() {
            world.deliver(node, listener::workAvailable);
        }

        @Override
        public void jobsChanged() {
            world.deliver(node, listener::jobsChanged);
        }

        @Override
        public void schedulesChanged() {
            world.deliver(node, listener::schedulesChanged);
        }

        @Override
        public void notificationsReliable(boolean reliable) {
            world.deliver(node, () -> listener.notificationsReliable(reliable));
        }

        @Override
        public void clockJumped(Duration jump, int moved) {
            world.deliver(node, () -> listener.clockJumped(jump, moved));
        }
    }
}
