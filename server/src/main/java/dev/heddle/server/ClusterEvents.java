package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.event.EventBatch;
import dev.heddle.event.EventListener;
import dev.heddle.event.EventSource;
import dev.heddle.event.EventStore;
import dev.heddle.event.NodeEvent;
import dev.heddle.server.EventLog.Resumption;
import dev.heddle.store.StoreException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the events of other nodes into the {@link EventLog} while this server has readers, and half a minute longer, so
 * that a reader which reconnects misses nothing. Meanwhile it subscribes in the store, which makes all nodes publish.
 * It looks for events when the store announces them, and every second in case announcements do not arrive.
 */
final class ClusterEvents implements Runnable, EventListener {

    private static final Logger LOG = LoggerFactory.getLogger(ClusterEvents.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    /** The least pause between two looks, however often events are announced. */
    private static final Duration PACE = Duration.ofMillis(50);
    private static final Duration SUBSCRIPTION = Duration.ofSeconds(30);
    private static final Duration PROLONG_AFTER = Duration.ofSeconds(10);
    private static final int BATCHES = 20;

    private final Optional<EventStore> store;
    private final EventSource own;
    private final EventLog log;
    private final ReentrantLock following = new ReentrantLock();
    private final AtomicInteger readers = new AtomicInteger();
    private final Semaphore announced = new Semaphore(0);
    /** The sources that have published since this server follows them. */
    private final Set<String> heard = new HashSet<>();
    private boolean follows;
    private long prolongAt;
    private volatile long lastReaderAt;
    private volatile boolean closed;

    ClusterEvents(Optional<EventStore> store, EventSource own, EventLog log) {
        this.store = store;
        this.own = own;
        this.log = log;
    }

    @Override
    public void event(long number, NodeEvent event) {
        log.append(own.id(), number, event);
    }

    @Override
    public void published() {
        announced.release();
    }

    /** A reader begins. When this returns, the log knows where all nodes stand, if the store can be reached. */
    void readerBegins() {
        readers.incrementAndGet();
        if (store.isPresent()) {
            following.lock();
            try {
                if (!follows) {
                    begin(store.get());
                }
            } catch (StoreException e) {
                LOG.warn("Cannot follow the events of other nodes; trying again every second: {}", e.getMessage());
            } finally {
                following.unlock();
            }
            announced.release();
        }
    }

    void readerEnds() {
        lastReaderAt = System.nanoTime();
        readers.decrementAndGet();
    }

    private void begin(EventStore events) {
        prolong(events);
        Map<String, Long> positions = events.positions();
        positions.remove(own.id());
        log.retain(positions.keySet());
        positions.forEach(log::stands);
        heard.clear();
        follows = true;
    }

    private void prolong(EventStore events) {
        events.subscribe(own.id(), SUBSCRIPTION);
        prolongAt = System.nanoTime() + PROLONG_AFTER.toNanos();
        own.subscriptionChanged();
    }

    /** Follows until closed. */
    @Override
    public void run() {
        try {
            while (!closed) {
                if (announced.tryAcquire(isWanted() ? POLL.toMillis() : SUBSCRIPTION.toMillis(),
                        TimeUnit.MILLISECONDS)) {
                    announced.drainPermits();
                }
                if (store.isPresent() && !closed) {
                    follow(store.get());
                    Thread.sleep(PACE);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean isWanted() {
        return readers.get() > 0
                || (follows() && System.nanoTime() - lastReaderAt < SUBSCRIPTION.toNanos());
    }

    private boolean follows() {
        following.lock();
        try {
            return follows;
        } finally {
            following.unlock();
        }
    }

    private void follow(EventStore events) {
        following.lock();
        try {
            if (!isWanted()) {
                follows = false;
            } else if (!follows) {
                begin(events);
            } else {
                if (System.nanoTime() - prolongAt >= 0) {
                    prolong(events);
                }
                fetch(events);
            }
        } catch (StoreException e) {
            LOG.debug("Cannot read the events of other nodes; trying again: {}", e.getMessage());
        } finally {
            following.unlock();
        }
    }

    private void fetch(EventStore events) {
        Map<String, Long> published = events.positions();
        published.remove(own.id());
        log.retain(published.keySet());
        Map<String, Long> behind = new HashMap<>();
        published.forEach((source, position) -> {
            long from = log.position(source).orElse(0L);
            if (position > from) {
                behind.put(source, from);
            } else if (log.position(source).isEmpty()) {
                log.stands(source, position);
            }
        });
        while (!behind.isEmpty()) {
            List<EventBatch> batches = events.eventsAfter(behind, BATCHES);
            Set<String> found = new HashSet<>();
            for (EventBatch batch : batches) {
                found.add(batch.source());
                append(batch);
                behind.put(batch.source(), batch.last());
            }
            behind.keySet().stream().filter(source -> !found.contains(source)).forEach(
                    source -> catchUp(source, published.getOrDefault(source, 0L)));
            behind.entrySet().removeIf(entry -> !found.contains(entry.getKey())
                    || entry.getValue() >= published.getOrDefault(entry.getKey(), 0L));
        }
    }

    private void append(EventBatch batch) {
        String source = batch.source();
        catchUp(source, batch.after());
        long position = log.position(source).orElse(batch.after());
        for (long number = Math.max(position, batch.after()) + 1; number <= batch.last(); number++) {
            log.append(source, number, batch.events().get((int) (number - batch.after() - 1)));
        }
        heard.add(source);
    }

    /** Skips events that were not published, or are not kept any more. */
    private void catchUp(String source, long upTo) {
        Optional<Long> position = log.position(source);
        if (position.isEmpty()) {
            log.stands(source, upTo);
        } else if (position.get() < upTo) {
            log.gap(source, upTo, heard.add(source));
        }
    }

    /**
     * Reads the events that the log lacks for a reader that resumes, and passes them as frames; returns false if some of
     * them are lost.
     */
    boolean replay(Resumption resumption, FrameWriter writer) throws IOException {
        Map<String, Long> missing = new HashMap<>(resumption.missing());
        EventCursor cursor = resumption.cursor();
        while (!missing.isEmpty()) {
            Set<String> found = new HashSet<>();
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            for (EventBatch batch : store.map(events -> events.eventsAfter(missing, BATCHES)).orElse(List.of())) {
                if (batch.after() > missing.getOrDefault(batch.source(), 0L)) {
                    return false;
                }
                found.add(batch.source());
                missing.put(batch.source(), batch.last());
                long number = batch.after();
                for (NodeEvent event : batch.events()) {
                    if (cursor.advanceTo(batch.source(), ++number) && cursor.wants(event)) {
                        frames.writeBytes(log.frame(cursor.id(Map.of()), event));
                    }
                }
            }
            writer.write(frames);
            if (!found.containsAll(missing.keySet())) {
                return false;
            }
            missing.entrySet().removeIf(
                    entry -> entry.getValue() >= resumption.until().getOrDefault(entry.getKey(), 0L));
        }
        return true;
    }

    /** Sends frames to a reader. */
    interface FrameWriter {
        void write(ByteArrayOutputStream frames) throws IOException;
    }

    void close() {
        closed = true;
        announced.release();
    }
}
