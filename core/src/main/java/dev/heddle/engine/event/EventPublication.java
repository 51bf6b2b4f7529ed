package dev.heddle.engine.event;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.heddle.engine.support.BackgroundService;
import dev.heddle.engine.support.EventPublisher;
import dev.heddle.engine.support.Wakeup;
import dev.heddle.env.Environment;
import dev.heddle.event.EventBatch;
import dev.heddle.event.EventListener;
import dev.heddle.event.EventSource;
import dev.heddle.event.EventStore;
import dev.heddle.event.NodeEvent;
import dev.heddle.pool.PoolEvent;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Numbers the events of this node, and publishes them in the store while anyone subscribes to the events of all
 * nodes: at most ten batches a second. Each renewal of the lease shows whether anyone does; a notification shows it at
 * once. While nobody listens or subscribes, events are not even created.
 */
public final class EventPublication implements BackgroundService, EventSource {

    /** How many events of each source the store keeps, and how many may wait to be published. */
    public static final int KEPT = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(EventPublication.class);
    private static final Duration PACE = Duration.ofMillis(100);
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int MAX_BATCH = 2_000;

    private final Optional<EventStore> store;
    private final Environment env;
    private final EventPublisher events;
    private final Supplier<String> node;
    private final String id;
    private final Wakeup wakeup;
    private final List<EventListener> listeners = new CopyOnWriteArrayList<>();
    private final AtomicBoolean checkRequested = new AtomicBoolean(true);
    private final ReentrantLock lock = new ReentrantLock();
    // Guarded by the lock.
    private final Queue<NodeEvent> pending = new ArrayDeque<>();
    private long newest;
    private @Nullable AutoCloseable observation;
    private volatile boolean publishing;
    private volatile boolean stopped;
    // Used by the thread of the service only.
    private long checkAt;
    private long flushAt;

    /** Creates the publication of a node; without a store for events, they only go to listeners. */
    public EventPublication(Optional<EventStore> store, Environment env, EventPublisher events, Supplier<String> node) {
        this.store = store;
        this.env = env;
        this.events = events;
        this.node = node;
        this.id = Long.toString(env.random().nextLong(1L << 32, 1L << 40), 36);
        this.wakeup = new Wakeup(env);
    }

    @Override
    public String id() {
        return id;
    }

    @Override
    public long position() {
        lock.lock();
        try {
            return newest;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public AutoCloseable listen(EventListener listener) {
        listeners.add(listener);
        observeIfNeeded();
        return () -> {
            listeners.remove(listener);
            observeIfNeeded();
        };
    }

    private void observeIfNeeded() {
        lock.lock();
        try {
            boolean needed = publishing || !listeners.isEmpty();
            if (needed && observation == null) {
                observation = events.add(this::record);
            } else if (!needed && observation != null) {
                observation.close();
                observation = null;
            }
        } catch (Exception e) {
            throw new IllegalStateException("removing an observer cannot fail", e);
        } finally {
            lock.unlock();
        }
    }

    private void record(PoolEvent happened) {
        if (!NodeEvents.isPublished(happened)) {
            return;
        }
        NodeEvent event = NodeEvents.of(happened, node.get(), env.clock().instant());
        boolean first;
        lock.lock();
        try {
            newest++;
            first = publishing && pending.isEmpty();
            if (publishing) {
                pending.add(event);
                if (pending.size() > KEPT) {
                    pending.remove();
                }
            }
            for (EventListener listener : listeners) {
                listener.event(newest, event);
            }
        } finally {
            lock.unlock();
        }
        if (first) {
            wakeup.raise();
        }
    }

    /** Called after each renewal of the lease: the time to look whether anyone subscribes. */
    public void leaseRenewed() {
        if (!publishing) {
            subscriptionChanged();
        }
    }

    /** Called if another node has published events or subscribes to them. */
    public void announced() {
        leaseRenewed();
        listeners.forEach(EventListener::published);
    }

    @Override
    public void subscriptionChanged() {
        if (store.isPresent()) {
            checkRequested.set(true);
            wakeup.raise();
        }
    }

    @Override
    public String name() {
        return "events";
    }

    @Override
    public void run() {
        while (!stopped) {
            wakeup.await(store.map(this::work).orElse(null));
        }
        if (publishing) {
            store.ifPresent(this::flush);
        }
    }

    /** Does what is due; returns how long there is nothing more to do, or null for until something happens. */
    private @Nullable Duration work(EventStore eventStore) {
        boolean requested = checkRequested.getAndSet(false);
        if (requested || (publishing && env.nanoTime() - checkAt >= 0)) {
            check(eventStore);
        }
        if (!publishing) {
            return null;
        }
        boolean waits = !isPendingEmpty();
        if (waits && env.nanoTime() - flushAt >= 0) {
            flushAt = env.nanoTime() + (flush(eventStore) ? PACE : RETRY).toNanos();
            waits = !isPendingEmpty();
        }
        return Duration.ofNanos(Math.max(1, (waits ? Math.min(flushAt, checkAt) : checkAt) - env.nanoTime()));
    }

    private boolean isPendingEmpty() {
        lock.lock();
        try {
            return pending.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Starts or stops to publish, as anyone subscribes or not. */
    private void check(EventStore eventStore) {
        try {
            Duration subscribed = eventStore.subscribed();
            checkAt = env.nanoTime() + subscribed.toNanos();
            if (subscribed.isPositive()) {
                if (!publishing) {
                    publishing = true;
                    observeIfNeeded();
                    flushAt = env.nanoTime();
                }
                // Says where this source stands, and that it is alive.
                eventStore.publish(peek(0), KEPT);
            } else if (publishing) {
                publishing = false;
                observeIfNeeded();
                drop(Long.MAX_VALUE);
            }
        } catch (StoreException e) {
            LOG.debug("Cannot look for subscribers to events; trying again: {}", e.getMessage());
            checkAt = env.nanoTime() + RETRY.toNanos();
        }
    }

    /** Publishes what is pending; returns whether that succeeded. */
    private boolean flush(EventStore eventStore) {
        EventBatch batch = peek(MAX_BATCH);
        if (batch.events().isEmpty()) {
            return true;
        }
        try {
            eventStore.publish(batch, KEPT);
            drop(batch.last());
            return true;
        } catch (StoreException e) {
            LOG.debug("Cannot publish events; trying again: {}", e.getMessage());
            return false;
        }
    }

    private EventBatch peek(int most) {
        lock.lock();
        try {
            List<NodeEvent> some = new ArrayList<>();
            for (NodeEvent event : pending) {
                if (some.size() == most) {
                    break;
                }
                some.add(event);
            }
            return new EventBatch(id, newest - pending.size(), some);
        } finally {
            lock.unlock();
        }
    }

    /** Forgets pending events up to a number. */
    private void drop(long upTo) {
        lock.lock();
        try {
            while (!pending.isEmpty() && newest - pending.size() < upTo) {
                pending.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void stop() {
        stopped = true;
        wakeup.raise();
    }
}
