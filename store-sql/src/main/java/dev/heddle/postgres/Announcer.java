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

import dev.heddle.sql.Session;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other nodes what was committed here, on a thread of its own: NOTIFY makes the commits of all who use it wait
 * for each other, so it stays out of the transactions that store jobs, needs no fsync, and says once what was to be
 * said several times meanwhile, and nothing where there is no other node. What a crash leaves unsaid, the others find by polling.
 */
final class Announcer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Announcer.class);
    /** Nodes have their rows before they look for work: whoever has none yet misses nothing. */
    private static final String NOTIFY = """
            SELECT set_config('synchronous_commit', 'off', true), pg_notify(?, ?)
            WHERE EXISTS (SELECT 1 FROM heddle.node WHERE id <> ALL (?))""";
    /** Between two announcements, so that a busy submitter does not keep the others from committing theirs. */
    private static final long PAUSE_NANOS = 10_000_000;

    private final Connections connections;
    private final String channel;
    private final String sender;
    private final Supplier<Set<String>> ownNodes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Set<Message> unsaid = new LinkedHashSet<>();
    private @Nullable Thread thread;
    private boolean closed;

    /**
     * @param ownNodes the nodes that hear nothing of what this says
     */
    Announcer(Connections connections, String channel, String sender, Supplier<Set<String>> ownNodes) {
        this.connections = connections;
        this.channel = channel;
        this.sender = sender;
        this.ownNodes = ownNodes;
    }

    void work() {
        announce(new Message(Message.Kind.WORK, sender, ""));
    }

    void changed(String node) {
        announce(new Message(Message.Kind.CHANGED, sender, node));
    }

    private void announce(Message message) {
        lock.lock();
        try {
            if (!closed && unsaid.add(message)) {
                if (thread == null) {
                    thread = Thread.ofPlatform().daemon().name("heddle-announcer").start(this::run);
                }
                changed.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    /** Within a transaction of somebody else's: heard when it commits. */
    static void announce(Session session, String channel, Message message) throws SQLException {
        session.query("SELECT pg_notify(?, ?)", channel, message.text()).close();
    }

    private void run() {
        for (Set<Message> messages = next(); !messages.isEmpty(); messages = next()) {
            Set<Message> some = messages;
            try {
                connections.once(session -> {
                    for (Message message : some) {
                        session.query(NOTIFY, channel, message.text(),
                                new Table<>(List.copyOf(ownNodes.get())).texts(node -> node)).close();
                    }
                    return some.size();
                });
            } catch (StoreException e) {
                LOG.debug("Could not tell other nodes, they will find out: {}", e.getMessage());
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /** Waits for something to say; empty once closed and all is said. */
    private Set<Message> next() {
        lock.lock();
        try {
            while (unsaid.isEmpty() && !closed) {
                changed.await();
            }
            Set<Message> messages = Set.copyOf(unsaid);
            unsaid.clear();
            return messages;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Set.of();
        } finally {
            lock.unlock();
        }
    }

    /** Says what is left to say. */
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
