package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlException.Kind;
import dev.heddle.server.EventLog.Next;
import io.javalin.http.Context;
import org.eclipse.jetty.ee10.servlet.ServletContextRequest;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves the {@link EventLog} as server-sent events, each reader on a virtual thread of its own that writes, and blocks
 * while its reader takes nothing. Such a reader is dropped by {@link #dropBlocked()} before the log has gone on without
 * it: it comes back with the last id it saw and has missed nothing.
 */
final class EventReaders implements Runnable {

    private static final Logger LOG = LoggerFactory.getLogger(EventReaders.class);
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(15);
    /** Between two batches for one reader, so that many readers cost a few thousand writes a second and no more. */
    private static final Duration PACE = Duration.ofMillis(100);
    private static final Duration PACE_OF_EACH = Duration.ofNanos(300_000);
    private static final Duration CHECK = Duration.ofMillis(250);
    private static final String ALIVE = ": still here\n\n";

    private final EventLog log;
    private final int most;
    private final Duration patience;
    private final Set<Reader> readers = ConcurrentHashMap.newKeySet();
    private final AtomicLong dropped = new AtomicLong();
    private volatile boolean closed;

    EventReaders(EventLog log, ServerSettings.Limits limits) {
        this.log = log;
        this.most = limits.eventReaders();
        this.patience = limits.blockedReader();
    }

    /** One connection; its own thread moves it on, the watching one looks. */
    private static final class Reader {
        final Runnable abort;
        volatile long place;
        /** When the write that goes on now began; 0 while there is none. */
        volatile long writingSince;
        volatile boolean dropped;

        Reader(Runnable abort, long place) {
            this.abort = abort;
            this.place = place;
        }
    }

    int count() {
        return readers.size();
    }

    long dropped() {
        return dropped.get();
    }

    /** Returns when the reader has gone, was dropped, or the server closes. */
    void serve(Context context) {
        if (readers.size() >= most) {
            throw new ControlException(Kind.FULL,
                    "as many readers as allowed follow the events already: " + most);
        }
        String resume = context.header("Last-Event-ID");
        long place = resume == null ? log.newest() : log.place(resume);
        var response = context.res();
        response.setStatus(200);
        response.setContentType("text/event-stream;charset=utf-8");
        response.setHeader("X-Accel-Buffering", "no");
        Reader reader = new Reader(abort(context), place);
        readers.add(reader);
        try (OutputStream out = response.getOutputStream()) {
            if (place < 0) {
                reset(reader, out, log.newest());
            } else {
                write(reader, out, frame(place, "open"));
            }
            follow(reader, out);
        } catch (IOException e) {
            LOG.debug("A reader of events has gone: {}", e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            readers.remove(reader);
        }
    }

    private static Runnable abort(Context context) {
        var connection = ServletContextRequest.getServletContextRequest(context.req()).getConnectionMetaData()
                .getConnection();
        return () -> connection.getEndPoint().close(new IOException("dropped: it read too slowly"));
    }

    private void follow(Reader reader, OutputStream out) throws IOException, InterruptedException {
        while (true) {
            switch (log.after(reader.place, KEEP_ALIVE)) {
                case Next.Events(ByteArrayOutputStream frames, long last) -> {
                    write(reader, out, frames);
                    reader.place = last;
                    Thread.sleep(pace());
                }
                case Next.Quiet() -> write(reader, out, ALIVE);
                case Next.Lost(long newest) -> reset(reader, out, newest);
                case Next.Closed() -> {
                    return;
                }
            }
        }
    }

    private Duration pace() {
        Duration ofAll = PACE_OF_EACH.multipliedBy(readers.size());
        return ofAll.compareTo(PACE) > 0 ? ofAll : PACE;
    }

    /** Says that something was missed and that it goes on from here: read again what you show. */
    private void reset(Reader reader, OutputStream out, long newest) throws IOException {
        write(reader, out, frame(newest, "reset"));
        reader.place = newest;
    }

    private String frame(long place, String kind) {
        return "id: " + log.id(place) + "\nevent: " + kind + "\ndata: {\"kind\":\"" + kind + "\"}\n\n";
    }

    private static void write(Reader reader, OutputStream out, String frame) throws IOException {
        ByteArrayOutputStream frames = new ByteArrayOutputStream();
        frames.writeBytes(frame.getBytes(StandardCharsets.UTF_8));
        write(reader, out, frames);
    }

    private static void write(Reader reader, OutputStream out, ByteArrayOutputStream frames)
            throws IOException {
        reader.writingSince = System.nanoTime() | 1;
        frames.writeTo(out);
        out.flush();
        reader.writingSince = 0;
    }

    /** Looks after the readers until closed. */
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

    /** Those that took nothing for too long, or for a while and are half a log behind. */
    private void dropBlocked() {
        for (Reader reader : readers) {
            long since = reader.writingSince;
            if (since == 0 || reader.dropped) {
                continue;
            }
            Duration blocked = Duration.ofNanos(System.nanoTime() - since);
            boolean behind = log.newest() - reader.place > log.size() / 2 && blocked.compareTo(CHECK) > 0;
            if (behind || blocked.compareTo(patience) > 0) {
                LOG.info("A reader of events took nothing for {} and is dropped {} events behind", blocked,
                        log.newest() - reader.place);
                reader.dropped = true;
                dropped.incrementAndGet();
                reader.abort.run();
            }
        }
    }

    void close() {
        closed = true;
        log.close();
    }
}
