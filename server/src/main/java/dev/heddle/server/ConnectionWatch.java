package dev.heddle.server;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Bounds how many connections there are and how long they may take to send a request. Jetty's own limit stops accepting
 * connections, so that idle ones could keep everybody else out; its idle timeout starts again with every byte.
 *
 * <p>If there are too many connections, the one that has waited longest for a request is closed in favor of the new
 * one. If all of them are being served, the new one is closed.
 */
final class ConnectionWatch implements Connection.Listener, HttpConfiguration.Customizer, Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(HeddleServer.class);
    private static final Duration SWEEP_INTERVAL = Duration.ofMillis(500);
    private static final Duration LOG_INTERVAL = Duration.ofMinutes(1);
    private static final Duration FOREVER = Duration.ofNanos(Long.MAX_VALUE);

    private final ConnectionLimits limits;
    private final Duration idleTimeout;
    /** Those that wait for a request are in the order in which they began to wait. */
    private final Map<Connection, Progress> open = new LinkedHashMap<>();
    private final Map<String, Integer> perAddress = new HashMap<>();
    private long surplus;
    private long loggedAt = System.nanoTime() - LOG_INTERVAL.toNanos();

    /** How far a connection is with its current request. Guarded by the lock of the watch. */
    private static final class Progress {
        private final String address;
        private int serving;
        /** Whether the header of a request is on its way; a new connection is expected to send one at once. */
        private boolean headerPending = true;
        private long since = System.nanoTime();
        /** The bytes received when it began to wait for a request. */
        private long bytesBefore;
        private boolean bodyPending;

        Progress(String address) {
            this.address = address;
        }
    }

    ConnectionWatch(ConnectionLimits limits, Duration idleTimeout) {
        this.limits = limits;
        this.idleTimeout = idleTimeout;
    }

    /** Returns the most connections that stay open. */
    int limit() {
        return limits.total();
    }

    @Override
    public void onOpened(Connection connection) {
        // With TLS there are two connections on one socket; requests belong to the inner one.
        if (!(connection instanceof SslConnection)) {
            Connection closing = add(connection);
            if (closing != null) {
                closing.getEndPoint().close();
            }
        }
    }

    /** Adds a connection and returns the one to close, if there are too many now. */
    private synchronized @Nullable Connection add(Connection connection) {
        Progress added = new Progress(address(connection));
        open.put(connection, added);
        boolean crowded = perAddress.merge(added.address, 1, Integer::sum) > limits.perAddress();
        if (!crowded && open.size() <= limits.total()) {
            return null;
        }
        logSurplus();
        Connection closing = open.entrySet().stream()
                .filter(each -> each.getValue().serving == 0)
                .filter(each -> !crowded || each.getValue().address.equals(added.address)).map(Map.Entry::getKey)
                .findFirst().orElse(connection);
        remove(closing);
        return closing;
    }

    private void logSurplus() {
        surplus++;
        long now = System.nanoTime();
        if (now - loggedAt >= LOG_INTERVAL.toNanos()) {
            loggedAt = now;
            LOG.warn("There are more connections than allowed ({}, {} from one address); closed {} so far",
                    limits.total(), limits.perAddress(), surplus);
        }
    }

    private static String address(Connection connection) {
        return connection.getEndPoint().getRemoteSocketAddress() instanceof InetSocketAddress inet
                && inet.getAddress() != null ? inet.getAddress().getHostAddress() : "";
    }

    @Override
    public synchronized void onClosed(Connection connection) {
        remove(connection);
    }

    private void remove(Connection connection) {
        Progress removed = open.remove(connection);
        if (removed != null) {
            perAddress.computeIfPresent(removed.address, (_, count) -> count == 1 ? null : count - 1);
        }
    }

    /** Notes that the header of a request is complete, and watches its body. */
    @Override
    public Request customize(Request request, HttpFields.Mutable responseHeaders) {
        Connection connection = request.getConnectionMetaData().getConnection();
        boolean body = request.getLength() != 0
                && (request.getLength() > 0 || request.getHeaders().contains(HttpHeader.TRANSFER_ENCODING));
        Progress progress = beginRequest(connection, body);
        if (progress == null) {
            return request;
        }
        Request.addCompletionListener(request, _ -> endRequest(connection, progress));
        return body ? new WatchedBody(request, progress) : request;
    }

    private synchronized @Nullable Progress beginRequest(Connection connection, boolean body) {
        Progress progress = open.get(connection);
        if (progress != null) {
            progress.serving++;
            progress.headerPending = false;
            progress.since = System.nanoTime();
            progress.bodyPending = body;
        }
        return progress;
    }

    private synchronized void endRequest(Connection connection, Progress progress) {
        progress.serving--;
        if (progress.serving == 0 && open.remove(connection, progress)) {
            progress.since = System.nanoTime();
            progress.bytesBefore = connection.getBytesIn();
            open.put(connection, progress);
        }
    }

    private synchronized void endBody(Progress progress) {
        progress.bodyPending = false;
    }

    /** Notices the end of a body. */
    private final class WatchedBody extends Request.Wrapper {
        private final Progress progress;

        WatchedBody(Request request, Progress progress) {
            super(request);
            this.progress = progress;
        }

        @Override
        public Content.@Nullable Chunk read() {
            Content.Chunk chunk = super.read();
            if (chunk != null && chunk.isLast()) {
                endBody(progress);
            }
            return chunk;
        }
    }

    /** Closes connections that take too long, until the thread is interrupted. */
    @Override
    public void run() {
        try {
            while (true) {
                Thread.sleep(SWEEP_INTERVAL);
                overdue().forEach(connection -> connection.getEndPoint()
                        .close(new TimeoutException("the request did not arrive in time")));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private synchronized List<Connection> overdue() {
        long now = System.nanoTime();
        List<Connection> overdue = new ArrayList<>();
        open.forEach((connection, progress) -> {
            if (progress.serving == 0 && !progress.headerPending && connection.getBytesIn() > progress.bytesBefore) {
                progress.headerPending = true;
                progress.since = now;
            }
            if (now - progress.since >= allowed(progress).toNanos()) {
                overdue.add(connection);
            }
        });
        return overdue;
    }

    /** Returns how long a connection may stay as it is. */
    private Duration allowed(Progress progress) {
        if (progress.serving > 0) {
            return progress.bodyPending ? limits.bodyTimeout() : FOREVER;
        }
        return progress.headerPending ? limits.headerTimeout() : idleTimeout;
    }
}
