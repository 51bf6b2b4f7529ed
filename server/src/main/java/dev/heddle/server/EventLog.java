package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

import dev.heddle.control.ControlJson;
import dev.heddle.event.NodeEvent;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the most recent events of this node and, while anyone reads, of the others, in a ring that all readers share.
 * The log stores nothing per reader: a reader is just a {@link EventCursor}. A slow reader therefore costs no memory.
 *
 * <p>The events of a source have numbers; the log knows the position of each source (the number of its last event here)
 * and from which number on the ring has all its events. The id of an event is the positions of all sources after it, so
 * a reader can resume on another node, which received the same events in another order.
 */
final class EventLog {

    private static final int MAX_BYTES = 64 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Entry[] ring;
    private final String self;
    private final UnaryOperator<NodeEvent> view;
    private final Map<String, Long> positions = new HashMap<>();
    /** For each source, the first number from which on the ring has all events. */
    private final Map<String, Long> complete = new HashMap<>();
    private volatile long newest;
    private String lastSource = "";
    private String others = "";
    private boolean closed;

    /** An event, or a gap in the events of its source if {@code event} is null. Its bytes are made once, for the first reader. */
    private static final class Entry {
        final String others;
        final String source;
        final long number;
        final @Nullable NodeEvent event;
        /** Whether it is a gap that does not concern readers who have just begun. */
        final boolean early;
        byte @Nullable [] frame;

        Entry(String others, String source, long number, @Nullable NodeEvent event, boolean early) {
            this.others = others;
            this.source = source;
            this.number = number;
            this.event = event;
            this.early = early;
        }
    }

    /** The events after a position, or why there are none. */
    sealed interface Next {
        /** Events as frames to send. */
        record Events(ByteArrayOutputStream frames) implements Next {}

        /** No event happened within the time. */
        record Quiet() implements Next {}

        /** Events that follow the position are lost. */
        record Lost() implements Next {}

        /** The server is closing. */
        record Closed() implements Next {}
    }

    /**
     * How a reader can resume.
     *
     * @param cursor where to go on once it has the missing events
     * @param missing the sources of which the ring lacks events, with the positions of the reader
     * @param until the positions up to which the events are missing
     */
    record Resumption(EventCursor cursor, Map<String, Long> missing, Map<String, Long> until) {}

    /**
     * Creates an empty log.
     *
     * @param self the source that is this node
     * @param view what readers see of an event
     */
    EventLog(int capacity, String self, long position, UnaryOperator<NodeEvent> view) {
        this.ring = new Entry[capacity];
        this.self = self;
        this.view = view;
        positions.put(self, position);
        complete.put(self, position + 1);
    }

    /** Adds an event; if the one before it is missing, it starts again with this one. */
    void append(String source, long number, NodeEvent event) {
        lock.lock();
        try {
            @Nullable Long position = positions.get(source);
            if (position == null || position != number - 1) {
                complete.put(source, number);
            }
            add(source, number, event, false);
        } finally {
            lock.unlock();
        }
    }

    /** Notes that events of a source up to a number will never come. */
    void gap(String source, long upTo, boolean early) {
        lock.lock();
        try {
            complete.put(source, upTo + 1);
            add(source, upTo, null, early);
        } finally {
            lock.unlock();
        }
    }

    private void add(String source, long number, @Nullable NodeEvent event, boolean early) {
        if (!source.equals(lastSource)) {
            Map<String, Long> rest = new HashMap<>(positions);
            rest.remove(source);
            others = EventPositions.text(rest);
            lastSource = source;
        }
        positions.put(source, number);
        long index = newest + 1;
        Entry overwritten = ring[slot(index)];
        if (overwritten != null) {
            complete.computeIfPresent(overwritten.source, (_, from) -> Math.max(from, overwritten.number + 1));
        }
        ring[slot(index)] = new Entry(others, source, number, event, early);
        newest = index;
        changed.signalAll();
    }

    /** Notes where a source stands that the log has no events of. */
    void stands(String source, long position) {
        lock.lock();
        try {
            if (!Long.valueOf(position).equals(positions.put(source, position))) {
                complete.put(source, position + 1);
            }
            lastSource = "";
        } finally {
            lock.unlock();
        }
    }

    /** Forgets other sources than these. */
    void retain(Collection<String> sources) {
        lock.lock();
        try {
            if (positions.keySet().removeIf(source -> !source.equals(self) && !sources.contains(source))) {
                complete.keySet().retainAll(positions.keySet());
                lastSource = "";
            }
        } finally {
            lock.unlock();
        }
    }

    /** Returns the position of a source; empty if it is unknown. */
    Optional<Long> position(String source) {
        lock.lock();
        try {
            return Optional.ofNullable(positions.get(source));
        } finally {
            lock.unlock();
        }
    }

    private int slot(long index) {
        return (int) (index % ring.length);
    }

    long newest() {
        return newest;
    }

    int size() {
        return ring.length;
    }

    /** Returns the id of the position of a reader at the end of the log; its last event may have another one. */
    String id(EventCursor cursor) {
        lock.lock();
        try {
            return cursor.id(positions);
        } finally {
            lock.unlock();
        }
    }

    /** Moves a cursor to the end of the log; returns the id of that position. */
    String moveToEnd(EventCursor cursor) {
        lock.lock();
        try {
            cursor.moveTo(newest, null);
            return EventPositions.text(positions);
        } finally {
            lock.unlock();
        }
    }

    /** Finds out how a reader with these positions can resume; empty if it cannot because events are lost. */
    Optional<Resumption> resume(Map<String, Long> read, EventCursor cursor) {
        lock.lock();
        try {
            if (!positions.keySet().containsAll(read.keySet())
                    || read.getOrDefault(self, 0L) > positions.getOrDefault(self, 0L)) {
                return Optional.empty();
            }
            Map<String, Long> missing = new HashMap<>();
            positions.forEach((source, position) -> {
                long from = read.getOrDefault(source, 0L);
                if (from < position && complete.getOrDefault(source, Long.MAX_VALUE) > from + 1) {
                    missing.put(source, from);
                }
            });
            if (missing.containsKey(self)) {
                return Optional.empty();
            }
            cursor.moveTo(Math.max(0, newest - ring.length), read);
            return Optional.of(new Resumption(cursor, missing, Map.copyOf(positions)));
        } finally {
            lock.unlock();
        }
    }

    /** Returns the events after the cursor, about 64 KiB at most, and waits for one if there is none yet. */
    Next after(EventCursor cursor, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (true) {
                if (closed) {
                    return new Next.Closed();
                }
                if (cursor.index() < newest - ring.length) {
                    return new Next.Lost();
                }
                ByteArrayOutputStream frames = new ByteArrayOutputStream();
                boolean intact = collect(cursor, frames);
                if (frames.size() > 0) {
                    return new Next.Events(frames);
                }
                if (!intact) {
                    return new Next.Lost();
                }
                if (left <= 0) {
                    return new Next.Quiet();
                }
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Collects frames; returns false at a gap that concerns the reader. */
    private boolean collect(EventCursor cursor, ByteArrayOutputStream frames) {
        while (cursor.index() < newest && frames.size() < MAX_BYTES) {
            Entry entry = ring[slot(cursor.index() + 1)];
            if (entry.event == null && cursor.isConcernedBy(entry.source, entry.number, entry.early)) {
                return false;
            }
            if (cursor.advance(entry.source, entry.number) && entry.event != null && cursor.wants(entry.event)) {
                frames.writeBytes(cursor.isCatchingUp() ? frame(cursor.id(positions), entry.event) : frame(entry));
            }
        }
        if (cursor.index() == newest) {
            cursor.caughtUp(positions);
        }
        return true;
    }

    private byte[] frame(Entry entry) {
        byte[] frame = entry.frame;
        if (frame == null && entry.event != null) {
            frame = frame(EventPositions.text(entry.others, entry.source, entry.number), entry.event);
            entry.frame = frame;
        }
        return frame == null ? new byte[0] : frame;
    }

    /** Returns an event as it is sent. */
    byte[] frame(String id, NodeEvent event) {
        return ("id: " + id + "\nevent: " + event.kind() + "\ndata: " + ControlJson.write(view.apply(event)) + "\n\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
