package dev.heddle.memory;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import dev.heddle.env.Environment;
import dev.heddle.env.TimeOfDay;
import dev.heddle.query.ViewStore;
import dev.heddle.store.StoreListener;

/**
 * The data of one memory store, or of several that share it: plain collections under one lock. A transaction is an
 * action under the lock; what it has to tell the nodes, they are told afterwards.
 */
final class MemoryData {

    private final ReentrantLock lock = new ReentrantLock();
    final MemoryTable table = new MemoryTable();
    private final MemoryFamilies families = new MemoryFamilies(table);
    final MemoryInserts inserts = new MemoryInserts(table, families);
    final MemoryAttempts attempts = new MemoryAttempts(table, inserts, families);
    final MemoryCommands commands = new MemoryCommands(table, families);
    final MemoryRuns runs = new MemoryRuns(table);
    final MemoryLogs logs = new MemoryLogs(table);
    final MemorySpending spending = new MemorySpending();
    final MemoryAccess.Data access = new MemoryAccess.Data();
    final MemoryStatistics statistics = new MemoryStatistics();
    final MemoryTexts texts = new MemoryTexts(table);
    final MemorySessions sessions = new MemorySessions(table);
    final MemorySchedules schedules = new MemorySchedules(table, inserts);
    final MemoryEvents events = new MemoryEvents();
    final MemoryAdoptions adoptions = new MemoryAdoptions(table);
    final Map<String, ViewStore.View> views = new TreeMap<>();
    final MemoryNodes nodes;
    private final BiConsumer<String, Runnable> delivery;
    private final Map<String, StoreListener> listeners = new LinkedHashMap<>();
    private TimeOfDay clock;

    /** Creates data without jobs, which goes by the clock of an environment. */
    MemoryData(MemoryNodes nodes, Environment env, BiConsumer<String, Runnable> delivery) {
        this.nodes = nodes;
        this.clock = new TimeOfDay(env);
        this.delivery = delivery;
    }

    <T> T transaction(Supplier<T> action) {
        T result;
        Runnable notifications;
        lock.lock();
        try {
            Runnable jumped = readClock();
            result = action.get();
            boolean released = table.takeReleased();
            boolean woken = families.takeWoken() || released;
            boolean changed = families.takeChanged();
            notifications = woken || changed ? familiesChanged(jumped, woken, changed) : jumped;
        } finally {
            lock.unlock();
        }
        notifications.run();
        return result;
    }

    private Runnable familiesChanged(Runnable before, boolean woken, boolean changed) {
        Map<String, StoreListener> told = new LinkedHashMap<>(listeners);
        return () -> {
            before.run();
            if (woken) {
                tell(told, StoreListener::workAvailable);
            }
            if (changed) {
                tell(told, StoreListener::jobsChanged);
            }
        };
    }

    /** Sets the time of a transaction; returns how to tell of a jump of the clock. */
    private Runnable readClock() {
        TimeOfDay.Reading time = clock.read();
        table.setTime(time.now());
        if (!time.hasJumped()) {
            return () -> {};
        }
        Duration jump = time.jump();
        int moved = table.moveTimes(jump);
        adoptions.moveEnds(jump);
        sessions.moveUses(jump);
        table.keys.moveTimes(jump);
        Map<String, StoreListener> told = new LinkedHashMap<>(listeners);
        return () -> tell(told, listener -> listener.clockJumped(jump, moved));
    }

    void useClock(Environment env) {
        lock.lock();
        try {
            clock = new TimeOfDay(env);
        } finally {
            lock.unlock();
        }
    }

    /** Replaces the listener of a node that joins, perhaps again under a new id. Called within a transaction. */
    void listen(String node, StoreListener listener) {
        listeners.values().remove(listener);
        listeners.put(node, listener);
    }

    void unlisten(String node) {
        listeners.remove(node);
    }

    /** Tells all nodes but one that there may be jobs to claim. */
    void workAvailable(String exceptFor) {
        Map<String, StoreListener> others = others();
        others.remove(exceptFor);
        tell(others, StoreListener::workAvailable);
    }

    /** Tells all nodes but one that a schedule was changed. */
    void schedulesChanged(String exceptFor) {
        Map<String, StoreListener> others = others();
        others.remove(exceptFor);
        tell(others, StoreListener::schedulesChanged);
    }

    /** Tells all nodes but one that there are events, or anyone who subscribes to them. */
    void eventsAnnounced(String exceptFor) {
        Map<String, StoreListener> others = others();
        others.remove(exceptFor);
        tell(others, StoreListener::eventsAnnounced);
    }

    /** Tells a node that something changed that it runs. */
    void jobsChanged(String node) {
        Map<String, StoreListener> others = others();
        others.keySet().retainAll(Set.of(node));
        tell(others, StoreListener::jobsChanged);
    }

    private Map<String, StoreListener> others() {
        lock.lock();
        try {
            return new LinkedHashMap<>(listeners);
        } finally {
            lock.unlock();
        }
    }

    private void tell(Map<String, StoreListener> told, Consumer<StoreListener> news) {
        told.forEach((node, listener) -> delivery.accept(node, () -> news.accept(listener)));
    }

    /** Returns the nodes that hold attempts which are not reserved. Called within a transaction. */
    Set<String> holders() {
        return table.held.stream().filter(row -> !MemoryAdoptions.isReserved(row, table.now()))
                .map(row -> Objects.requireNonNull(row.node, "node")).collect(Collectors.toSet());
    }
}
