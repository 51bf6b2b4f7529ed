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

import dev.heddle.job.SpanText;
import dev.heddle.store.Bell;
import dev.heddle.store.StoreException;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;
import org.postgresql.PGNotification;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hears what other nodes announce, on a connection of its own, and rings the bell of a node. Where nothing can be heard,
 * because a pooler takes the LISTEN and never delivers, or while the server is away, it says so, and tries again from
 * time to time: the node then looks by itself.
 */
final class Listener implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Listener.class);
    private static final Duration ANSWER = Duration.ofSeconds(2);
    private static final Duration PROBE_EVERY = Duration.ofSeconds(30);
    private static final Duration RECONNECT_AFTER = Duration.ofMillis(500);
    private static final Duration ONE_WAIT = Duration.ofSeconds(5);

    private final Connections connections;
    private final String channel;
    private final String sender;
    private final String node;
    private final Bell bell;
    private final Thread thread;
    private final CountDownLatch closed = new CountDownLatch(1);
    private volatile @Nullable Connection connection;
    private boolean deafnessTold;
    private boolean lossTold;

    /** Announcements do not arrive here. */
    private static final class DeafException extends Exception {
        private static final long serialVersionUID = 1;

        DeafException(String reason) {
            super(reason);
        }
    }

    Listener(Connections connections, String channel, String sender, String node, Bell bell) {
        this.connections = connections;
        this.channel = channel;
        this.sender = sender;
        this.node = node;
        this.bell = bell;
        this.thread = Thread.ofPlatform().daemon().name("heddle-listener").unstarted(this::run);
        thread.start();
    }

    /** For what happens in this store, which is not announced to itself. */
    Bell bell() {
        return bell;
    }

    private boolean isOpen() {
        return closed.getCount() > 0;
    }

    private void run() {
        while (isOpen()) {
            try (Connection borrowed = connections.borrow();
                    Patience _ = Patience.of(borrowed, Patience.LONGEST)) {
                connection = borrowed;
                listen(borrowed);
            } catch (DeafException e) {
                if (!deafnessTold) {
                    LOG.warn("No announcements arrive from {}: {}; polling more often instead",
                            connections.server(), e.getMessage());
                }
                deafnessTold = true;
                beDeaf(PROBE_EVERY);
            } catch (SQLException | StoreException e) {
                if (isOpen() && !lossTold) {
                    LOG.info(
                            "The connection that hears announcements of {} is lost; polling until it is back",
                            connections.server());
                }
                lossTold = true;
                beDeaf(RECONNECT_AFTER);
            }
        }
    }

    /** Leaves the node to itself for so long. */
    private void beDeaf(Duration length) {
        bell.hearing(false);
        try {
            if (closed.await(length.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.debug("Closed while nothing could be heard");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void listen(Connection borrowed) throws SQLException, DeafException {
        if (!borrowed.isWrapperFor(PGConnection.class)) {
            throw new DeafException("the data source does not give out PostgreSQL's own connections");
        }
        PGConnection postgres = borrowed.unwrap(PGConnection.class);
        borrowed.setAutoCommit(true);
        execute(borrowed, "LISTEN " + channel);
        try {
            hear(borrowed, postgres);
        } catch (DeafException e) {
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

    private void hear(Connection borrowed, PGConnection postgres) throws SQLException, DeafException {
        while (isOpen()) {
            probe(borrowed, postgres);
            if (lossTold) {
                LOG.info("Announcements of {} are heard again", connections.server());
            }
            lossTold = false;
            deafnessTold = false;
            bell.hearing(true);
            // Whatever was announced while nobody listened here.
            bell.work();
            bell.changed();
            long until = System.nanoTime() + PROBE_EVERY.toNanos();
            while (isOpen() && System.nanoTime() < until) {
                receive(postgres, ONE_WAIT);
            }
        }
    }

    private void probe(Connection borrowed, PGConnection postgres) throws SQLException, DeafException {
        Message question = new Message(Message.Kind.PROBE, sender, Long.toString(System.nanoTime(), 36));
        connections.within(borrowed, session -> {
            Announcer.announce(session, channel, question);
            return question;
        });
        long deadline = System.nanoTime() + ANSWER.toNanos();
        for (long left = ANSWER.toNanos(); left > 0 && isOpen(); left = deadline - System.nanoTime()) {
            if (receive(postgres, Duration.ofNanos(left)).contains(question)) {
                return;
            }
        }
        if (isOpen()) {
            throw new DeafException("a NOTIFY to ourselves was not answered within " + SpanText.of(ANSWER)
                    + " (a connection pooler in transaction mode swallows LISTEN)");
        }
    }

    /** Waits for messages, acts on them and returns them. */
    private List<Message> receive(PGConnection postgres, Duration longest) throws SQLException {
        PGNotification[] notifications = postgres.getNotifications((int) Math.max(1, longest.toMillis()));
        if (notifications == null) {
            return List.of();
        }
        List<Message> messages = Stream.of(notifications).map(PGNotification::getParameter)
                .map(Message::parse).flatMap(Optional::stream).toList();
        messages.stream().filter(message -> !message.sender().equals(sender)).forEach(this::act);
        return messages;
    }

    private void act(Message message) {
        if (message.kind() == Message.Kind.CHANGED && message.about().equals(node)) {
            bell.changed();
        } else if (message.kind() == Message.Kind.WORK) {
            bell.work();
        }
    }

    /** Whoever waits for messages is woken by one; where that does not arrive, its connection is cut. */
    @Override
    public void close() {
        closed.countDown();
        try {
            connections.once(session -> {
                Announcer.announce(session, channel, new Message(Message.Kind.PROBE, sender, "closing"));
                return channel;
            });
            if (thread.join(ANSWER)) {
                return;
            }
        } catch (StoreException e) {
            LOG.debug("The server is away while the listener closes", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        cut();
    }

    private void cut() {
        Connection open = connection;
        try {
            if (open != null) {
                open.abort(Runnable::run);
            }
        } catch (SQLException e) {
            LOG.debug("The listening connection was lost before", e);
        }
    }
}
