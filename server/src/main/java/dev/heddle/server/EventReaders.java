package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.server.EventLog.Next;
import dev.heddle.server.EventLog.Resumption;
import dev.heddle.store.StoreException;
import io.javalin.http.Context;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the {@link EventLog} as server-sent events. Each reader has a virtual thread that blocks in a write while the
 * reader does not read. {@link #dropBlocked()} disconnects such a reader before the log overwrites events that it has
 * not received: it can reconnect with the last id it saw and misses nothing.
 */
final class EventReaders implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(EventReaders.class);
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    /**
     * The pause between two writes to one reader, which bounds the writes for all readers to a few thousand a second.
     */
    private static final Duration PACE = Duration.ofMillis(100);
    private static final Duration PACE_PER_READER = Duration.ofNanos(300_000);
    private static final Duration CHECK = Duration.ofMillis(250);
    private static final String HEARTBEAT_FRAME = ": still here\n\n";

    private final EventLog log;
    private final ClusterEvents cluster;
    private final int maxReaders;
    private final Duration maxBlocked;
    private final Set<Reader> readers = ConcurrentHashMap.newKeySet();
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    EventReaders(EventLog log, ClusterEvents cluster, ServerSettings.Limits limits) {
        this.log = log;
        this.cluster = cluster;
        this.maxReaders = limits.eventReaders();
        this.maxBlocked = limits.blockedReader();
    }

    /** One connection. Its own thread advances it; the thread that drops blocked readers only reads it. */
    private static final class Reader {
        final Runnable abort;
        final EventCursor cursor;
        /** The id of the last position that it was told. */
        String lastId = "";
        /** When the current write started; 0 if there is none. */
        volatile long writingSince;
        volatile boolean dropped;

        Reader(Runnable abort, EventCursor cursor) {
            this.abort = abort;
            this.cursor = cursor;
        }
    }

    int count() {
        return readers.size();
    }

    long dropped() {
        return dropped.get();
    }

    /** Sends events until the reader disconnects, is dropped, or the server closes. */
    void serve(Context context, EventFilter filter) {
        if (readers.size() >= maxReaders) {
            throw new ControlException(Kind.FULL,
                    "too many readers follow the events, the limit is " + maxReaders + "; try again later");
        }
        String resume = context.header("Last-Event-ID");
        var response = context.res();
        response.setStatus(200);
        response.setContentType("text/event-stream;charset=utf-8");
        response.setHeader("X-Accel-Buffering", "no");
        Reader reader = new Reader(abort(context), new EventCursor(filter, resume == null));
        readers.add(reader);
        cluster.readerBegins();
        try (OutputStream out = response.getOutputStream()) {
            if (resume == null) {
                begin(reader, out, "open");
            } else {
                resume(reader, out, resume);
            }
            follow(reader, out);
        } catch (IOException e) {
            LOG.debug("A reader of events disconnected: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            cluster.readerEnds();
            readers.remove(reader);
        }
    }

    /** Sends what the reader has missed, as far as the log does not have it. */
    private void resume(Reader reader, OutputStream out, String id) throws IOException {
        Optional<Map<String, Long>> read = EventPositions.parse(id);
        Optional<Resumption> resumption = read.flatMap(positions -> log.resume(positions, reader.cursor));
        if (resumption.isEmpty()) {
            begin(reader, out, "reset");
            return;
        }
        write(reader, out, frame(id, "open"));
        try {
            if (!cluster.replay(resumption.get(), frames -> write(reader, out, frames))) {
                begin(reader, out, "reset");
            }
        } catch (StoreException e) {
            LOG.debug("Cannot read the events that a reader has missed: {}", e.getMessage());
            begin(reader, out, "reset");
        }
    }

    private static Runnable abort(Context context) {
        var connection = ServletContextRequest.getServletContextRequest(context.req()).getConnectionMetaData()
                .getConnection();
        return () -> connection.getEndPoint().close(new IOException("dropped: the reader was too slow"));
    }

    private void follow(Reader reader, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            switch (log.after(reader.cursor, HEARTBEAT)) {
                case Next.Events(ByteArrayOutputStream frames) -> {
                    write(reader, out, frames);
                    Thread.sleep(pace());
                }
                case Next.Quiet() -> write(reader, out, heartbeat(reader));
                case Next.Lost() -> begin(reader, out, "reset");
                case Next.Closed() -> {
                    return;
                }
            }
        }
    }

    /** Returns a frame without an event. Its id tells a reader where it stands that no event was for. */
    private String heartbeat(Reader reader) {
        String id = log.id(reader.cursor);
        if (id.equals(reader.lastId)) {
            return HEARTBEAT_FRAME;
        }
        reader.lastId = id;
        return "id: " + id + "\n\n";
    }

    private Duration pace() {
        Duration ofAll = PACE_PER_READER.multipliedBy(readers.size());
        return ofAll.compareTo(PACE) > 0 ? ofAll : PACE;
    }

    /**
     * Lets the reader go on with new events: after {@code open} because it begins, after {@code reset} because it missed
     * some and should reload what it shows.
     */
    private void begin(Reader reader, OutputStream out, String kind) throws IOException {
        write(reader, out, frame(log.moveToEnd(reader.cursor), kind));
    }

    private static String frame(String id, String kind) {
        return "id: " + id + "\nevent: " + kind + "\ndata: {\"kind\":\"" + kind + "\"}\n\n";
    }

    private static void write(Reader reader, OutputStream out, String frame) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        frames.writeBytes(frame.getBytes(StandardCharsets.UTF_8));
        write(reader, out, frames);
    }

    private static void write(Reader reader, OutputStream out, ByteArrayOutputStream frames) throws IOException {
        reader.writingSince = System.nanoTime() | 1;
        frames.writeTo(out);
        out.flush();
        reader.writingSince = 0;
    }

    /** Drops blocked readers until closed. */
    @Override
    public void run() {
        try {
            while (!closed) {
                Thread.sleep(CHECK);
                dropBlocked();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Drops readers that have been blocked for too long, or that are blocked and half a log behind. */
    private void dropBlocked() {
        for (Reader reader : readers) {
            long since = reader.writingSince;
            if (since == 0 || reader.dropped) {
                continue;
            }
            Duration blocked = Duration.ofNanos(System.nanoTime() - since);
            boolean behind = log.newest() - reader.cursor.index() > log.size() / 2 && blocked.compareTo(CHECK) > 0;
            if (behind || blocked.compareTo(maxBlocked) > 0) {
                LOG.info("Dropping a reader of events: it was blocked for {} and is {} events behind", blocked,
                        log.newest() - reader.cursor.index());
                reader.dropped = true;
                dropped.incrementAndGet();
                reader.abort.run();
            }
        }
    }

    void close() {
        closed = true;
        cluster.close();
        log.close();
    }
}
