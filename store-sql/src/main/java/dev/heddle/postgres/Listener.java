package dev.heddle.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import dev.heddle.job.DurationText;
import dev.heddle.store.StoreException;
import dev.heddle.store.StoreListener;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the announcements of other nodes on its own connection, and passes them to a node. If announcements do
 * not arrive, because a connection pooler accepts LISTEN and never delivers, or because the server is away, the
 * listener tells the node, which then polls, and tries again from time to time.
 */
final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final Duration PROBE_TIMEOUT = Duration.ofSeconds(2);
    private static final Duration PROBE_EVERY = Duration.ofSeconds(30);
    private static final Duration RECONNECT_AFTER = Duration.ofMillis(500);
    private static final Duration RECEIVE_TIMEOUT = Duration.ofSeconds(5);

    private final Connections connections;
    private final String channel;
    private final String sender;
    private final String node;
    private final StoreListener storeListener;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Connection connection;
    private boolean loggedUndelivered;
    private boolean loggedLoss;

    /** Announcements do not arrive on this connection. */
    private static final class UndeliveredException extends Exception {
        private static final long serialVersionUID = 1;

        UndeliveredException(String reason) {
            super(reason);
        }
    }

    Listener(Connections connections, String channel, String sender, String node, StoreListener storeListener) {
        this.connections = connections;
        this.channel = channel;
        this.sender = sender;
        this.node = node;
        this.storeListener = storeListener;
        this.thread = Thread.ofPlatform().daemon().name("heddle-listener").unstarted(this::run);
        thread.start();
    }

    /** Returns the node's listener, to notify it of changes by this store, which ignores its own announcements. */
    StoreListener storeListener() {
        return storeListener;
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    private void run() {
        while (isOpen()) {
            try (Connection borrowed = connections.borrow();
                    NetworkTimeout _ = NetworkTimeout.limit(borrowed, NetworkTimeout.LONGEST)) {
                connection = borrowed;
                listen(borrowed);
            } catch (UndeliveredException e) {
                if (!loggedUndelivered) {
                    LOG.warn("Announcements of {} do not arrive: {}; polling more often instead", connections.address(),
                            e.getMessage());
                }
                loggedUndelivered = true;
                letNodePoll(PROBE_EVERY);
            } catch (SQLException | StoreException e) {
                if (isOpen() && !loggedLoss) {
                    LOG.info("Lost the connection that receives announcements of {}; polling until it is back",
                            connections.address());
                }
                loggedLoss = true;
                letNodePoll(RECONNECT_AFTER);
            }
        }
    }

    /** Has the node poll for a while. */
    private void letNodePoll(Duration length) {
        storeListener.notificationsReliable(false);
        try {
            if (closed.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Closed while announcements did not arrive");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen(Connection borrowed) throws SQLException, UndeliveredException {
        if (!borrowed.isWrapperFor(PGConnection.class)) {
            throw new UndeliveredException("the connections of the data source cannot be unwrapped to PGConnection");
        }
        PGConnection postgres = borrowed.unwrap(PGConnection.class);
        borrowed.setAutoCommit(true);
        execute(borrowed, "LISTEN " + channel);
        try {
            receiveUntilClosed(borrowed, postgres);
        } catch (UndeliveredException e) {
            execute(borrowed, "UNLISTEN *");
            throw e;
        }
        execute(borrowed, "UNLISTEN *");
    }

    private static void execute(Connection borrowed, String sql) throws SQLException {
        try (Statement statement = borrowed.createStatement()) {
            statement.execute(sql);
        }
    }

    private void receiveUntilClosed(Connection borrowed, PGConnection postgres)
            throws SQLException, UndeliveredException {
        while (isOpen()) {
            probe(borrowed, postgres);
            if (loggedLoss) {
                LOG.info("Announcements of {} arrive again", connections.address());
            }
            loggedLoss = false;
            loggedUndelivered = false;
            storeListener.notificationsReliable(true);
            // Announcements may have been missed before.
            storeListener.workAvailable();
            storeListener.jobsChanged();
            long until = System.nanoTime() + PROBE_EVERY.toNanos();
            while (isOpen() && System.nanoTime() < until) {
                receive(postgres, RECEIVE_TIMEOUT);
            }
        }
    }

    private void probe(Connection borrowed, PGConnection postgres) throws SQLException, UndeliveredException {
        Announcement probe = new Announcement(Announcement.Kind.PROBE, sender, Long.toString(System.nanoTime(), 36));
        connections.within(borrowed, tx -> {
            Announcer.announce(tx, channel, probe);
            return probe;
        });
        long deadline = System.nanoTime() + PROBE_TIMEOUT.toNanos();
        for (long left = PROBE_TIMEOUT.toNanos(); left > 0 && isOpen(); left = deadline - System.nanoTime()) {
            if (receive(postgres, Duration.ofNanos(left)).contains(probe)) {
                return;
            }
        }
        if (isOpen()) {
            throw new UndeliveredException("a NOTIFY to ourselves was not answered within "
                    + DurationText.of(PROBE_TIMEOUT) + " (a connection pooler in transaction mode swallows LISTEN)");
        }
    }

    /** Waits for announcements, acts on them, and returns them. */
    private List<Announcement> receive(PGConnection postgres, Duration longest) throws SQLException {
        PGNotification[] notifications = postgres.getNotifications((int) Math.max(1, longest.toMillis()));
        if (notifications == null) {
            return List.of();
        }
        List<Announcement> announcements = Stream.of(notifications).map(PGNotification::getParameter)
                .map(Announcement::parse).flatMap(Optional::stream).toList();
        announcements.stream().filter(announcement -> !announcement.sender().equals(sender)).forEach(this::act);
        return announcements;
    }

    private void act(Announcement announcement) {
        switch (announcement.kind()) {
            case WORK -> storeListener.workAvailable();
            case CHANGED -> {
                if (announcement.about().equals(node)) {
                    storeListener.jobsChanged();
                }
            }
            case SCHEDULES -> storeListener.schedulesChanged();
            case EVENTS -> storeListener.eventsAnnounced();
            case PROBE -> {
            }
        }
    }

    /** Wakes the thread by an announcement to itself. If that does not arrive, cuts the connection. */
    @Override
    public void close() {
        closed.countDown();
        try {
            connections.once(tx -> {
                Announcer.announce(tx, channel, new Announcement(Announcement.Kind.PROBE, sender, "closing"));
                return channel;
            });
            if (thread.join(PROBE_TIMEOUT)) {
                return;
            }
        } catch (StoreException e) {
            LOG.debug("Cannot reach the server while closing the listener", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        abortConnection();
    }

    private void abortConnection() {
        Connection open = connection;
        try {
            if (open != null) {
                open.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.debug("The listening connection was already lost", e);
        }
    }
}
