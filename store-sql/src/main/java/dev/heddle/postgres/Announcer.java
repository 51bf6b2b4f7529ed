package dev.heddle.postgres;

import java.sql.SQLException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import dev.heddle.sql.Tx;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces to other nodes what was committed here, on its own thread. Commits with NOTIFY wait for each other, so
 * announcements are kept out of the transactions that store jobs, and need no fsync. Equal announcements are sent
 * once, and none if there is no other node. What a crash leaves unsent, other nodes find by polling.
 */
final class Announcer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
    /** A node adds its row before it looks for work, so a node without a row misses nothing. */
    private static final String NOTIFY = """
            SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)
            WHERE EXISTS (SELECT 1 FROM heddle.node WHERE id <> ALL (?))""";
    /** The pause between announcements, which lets other nodes commit theirs. */
    private static final long PAUSE_NANOS = 10_000_000;

    private final Connections connections;
    private final String channel;
    private final String sender;
    private final Supplier<Set<String>> ownNodes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Announcement> pending = new LinkedHashSet<>();
    private @Nullable Thread thread;
    private boolean closed;

    /** Creates an announcer. The nodes that {@code ownNodes} returns belong to this store and are told directly. */
    Announcer(Connections connections, String channel, String sender, Supplier<Set<String>> ownNodes) {
        this.connections = connections;
        this.channel = channel;
        this.sender = sender;
        this.ownNodes = ownNodes;
    }

    void work() {
        announce(new Announcement(Announcement.Kind.WORK, sender, ""));
    }

    void schedules() {
        announce(new Announcement(Announcement.Kind.SCHEDULES, sender, ""));
    }

    void events() {
        announce(new Announcement(Announcement.Kind.EVENTS, sender, ""));
    }

    void changed(String node) {
        announce(new Announcement(Announcement.Kind.CHANGED, sender, node));
    }

    private void announce(Announcement announcement) {
        lock.lock();
        try {
            if (!closed && pending.add(announcement)) {
                if (thread == null) {
                    thread = Thread.ofPlatform().daemon().name("heddle-announcer").start(this::run);
                }
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Announces within a transaction. Other nodes receive it when the transaction commits. */
    static void announce(Tx tx, String channel, Announcement announcement) throws SQLException {
        tx.query("SELECT pg_notify(?, ?)", channel, announcement.text()).close();
    }

    private void run() {
        for (Set<Announcement> batch = next(); !batch.isEmpty(); batch = next()) {
            Set<Announcement> announcements = batch;
            try {
                connections.once(tx -> {
                    for (Announcement announcement : announcements) {
                        tx.query(NOTIFY, channel, announcement.text(),
                                new ArrayColumns<>(List.copyOf(ownNodes.get())).texts(node -> node)).close();
                    }
                    return announcements.size();
                });
            } catch (StoreException e) {
                LOG.debug("Cannot announce to other nodes, which will find out by polling: {}", e.getMessage());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Waits for announcements; returns none once this is closed and all are sent. */
    private Set<Announcement> next() {
        lock.lock();
        try {
            while (pending.isEmpty() && !closed) {
                changed.await();
            }
            Set<Announcement> batch = Set.copyOf(pending);
            pending.clear();
            return batch;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Set.of();
        } finally {
            lock.unlock();
        }
    }

    /** Sends what is pending, and stops. */
    @Override
    public void close() {
        Thread running;
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
            running = thread;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            try {
                running.join(TimeUnit.SECONDS.toMillis(5));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
