package dev.heddle.engine.support;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import dev.heddle.pool.PoolEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Publishes the events of a node to its observers. Costs one check of an empty list if there are none. */
public final class EventPublisher {

    private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);

    private final List<Consumer<PoolEvent>> observers = new CopyOnWriteArrayList<>();

    /** Adds an observer; close the result to remove it. */
    public AutoCloseable add(Consumer<PoolEvent> observer) {
        observers.add(observer);
        return () -> observers.remove(observer);
    }

    /** Returns whether there are no observers. */
    public boolean isEmpty() {
        return observers.isEmpty();
    }

    /** Publishes an event, which is created only if there are observers. */
    public void publish(Supplier<PoolEvent> event) {
        if (!observers.isEmpty()) {
            publishToAll(event.get());
        }
    }

    private void publishToAll(PoolEvent event) {
        for (Consumer<PoolEvent> observer : observers) {
            UserCode.run(() -> observer.accept(event), e -> LOG.warn(
                    "An observer failed for {}; nothing else is affected", event.getClass().getSimpleName(), e));
        }
    }
}
