package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.control.ControlJson;
import dev.heddle.control.model.EventView;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the most recent events of this node in a ring that all readers share, each as the bytes to send. The log stores
 * nothing per reader: a reader is just a position. A slow reader therefore costs no memory, and one that reconnects
 * resumes after the last number it saw if the ring still has the events that follow.
 */
final class EventLog {

    private static final int MAX_BYTES = 64 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final byte[][] ring;
    /** A prefix of event ids that distinguishes this server from earlier ones, which numbered their events as well. */
    private final String run;
    private volatile long newest;
    private boolean closed;

    /** The events after a position, or why there are none. */
    sealed interface Next {
        /** Events as frames to send, and the number of the last one. */
        record Events(ByteArrayOutputStream frames, long last) implements Next {}

        /** No event happened within the time. */
        record Quiet() implements Next {}

        /** The events that follow the position have been overwritten. */
        record Lost(long newest) implements Next {}

        /** The server is closing. */
        record Closed() implements Next {}
    }

    EventLog(int capacity, String run) {
        this.ring = new byte[capacity][];
        this.run = run;
    }

    void append(EventView event) {
        String body = "\nevent: " + event.kind() + "\ndata: " + ControlJson.write(event) + "\n\n";
        lock.lock();
        try {
            long number = newest + 1;
            ring[slot(number)] = ("id: " + id(number) + body).getBytes(StandardCharsets.UTF_8);
            newest = number;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private int slot(long number) {
        return (int) (number % ring.length);
    }

    String id(long number) {
        return run + "-" + number;
    }

    /** Returns the position of an event id; -1 if it is from another run or not an event id. */
    long position(@Nullable String id) {
        if (id != null && id.startsWith(run + "-")) {
            try {
                long number = Long.parseLong(id.substring(run.length() + 1));
                return number < 0 || number > newest ? -1 : number;
            } catch (NumberFormatException e) {
                return -1;
            }
        }
        return -1;
    }

    long newest() {
        return newest;
    }

    int size() {
        return ring.length;
    }

    /** Returns the events after a position, about 64 KiB at most, and waits for one if there is none yet. */
    Next after(long position, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (position == newest && !closed) {
                if (left <= 0) {
                    return new Next.Quiet();
                }
                left = changed.awaitNanos(left);
            }
            if (closed) {
                return new Next.Closed();
            }
            return position < newest - ring.length ? new Next.Lost(newest) : collect(position);
        } finally {
            lock.unlock();
        }
    }

    private Next collect(long position) {
        long last = position;
        int size = 0;
        while (last < newest && size < MAX_BYTES) {
            last++;
            size += ring[slot(last)].length;
        }
        ByteArrayOutputStream frames = new ByteArrayOutputStream(size);
        for (long number = position + 1; number <= last; number++) {
            frames.writeBytes(ring[slot(number)]);
        }
        return new Next.Events(frames, last);
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
