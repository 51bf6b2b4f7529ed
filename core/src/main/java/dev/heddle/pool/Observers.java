package dev.heddle.pool;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Who hears of everything that happens here. Costs one look at an empty list where nobody does. */
final class Observers {

    private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

    private final List<Consumer<PoolEvent>> observers = new CopyOnWriteArrayList<>();

    AutoCloseable add(Consumer<PoolEvent> observer) {
        observers.add(observer);
        return () -> observers.remove(observer);
    }

    boolean isEmpty() {
        return observers.isEmpty();
    }

    void tell(Supplier<PoolEvent> happened) {
        if (!observers.isEmpty()) {
            tell(happened.get());
        }
    }

    private void tell(PoolEvent event) {
        for (Consumer<PoolEvent> observer : observers) {
            try {
                observer.accept(event);
            } catch (RuntimeException e) {
                LOG.warn("An observer failed at {}; nothing else is affected",
                        event.getClass().getSimpleName(), e);
            }
        }
    }
}
