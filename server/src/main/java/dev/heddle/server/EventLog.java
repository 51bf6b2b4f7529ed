package dev.heddle.server;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

import dev.heddle.control.ControlJson;
import dev.heddle.control.EventView;
import org.jspecify.annotations.Nullable;

/**
 * The last events of this node, each as the bytes that go to its readers, in a ring that they share. A reader has
 * nothing here but a number: where it stands. So a slow one costs no memory, and one that comes back goes on from the
 * number it saw last, as long as the ring still has what follows.
 */
final class EventLog {

    private static final int MOST_BYTES = 64 << 10;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition more = lock.newCondition();
    private final byte[][] ring;
    /** Tells the events of this run from those of another, whose numbers mean something else. */
    private final String run;
    private volatile long newest;
    private boolean closed;

    /** What there is for a reader. */
    sealed interface Next {
        record Events(ByteArrayOutputStream frames, long last) implements Next {}

        /** Nothing new within the time. */
        record Quiet() implements Next {}

        /** What follows the reader's place is no longer kept. */
        record Lost(long newest) implements Next {}

        record Closed() implements Next {}
    }

    EventLog(int kept, String run) {
        this.ring = new byte[kept][];
        this.run = run;
    }

    void append(EventView event) {
        String body = "\nevent: " + event.kind() + "\ndata: " + ControlJson.write(event) + "\n\n";
        lock.lock();
        try {
            long number = newest + 1;
            ring[slot(number)] = ("id: " + id(number) + body).getBytes(StandardCharsets.UTF_8);
            newest = number;
            more.signalAll();
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

    /** The place that an id stands for; -1 for one of another run, or none at all. */
    long place(@Nullable String id) {
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

    /** What follows a place, some 64 KiB of it at most; waits for it up to a time. */
    Next after(long place, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while (place == newest && !closed) {
                if (left <= 0) {
                    return new Next.Quiet();
                }
                left = more.awaitNanos(left);
            }
            if (closed) {
                return new Next.Closed();
            }
            return place < newest - ring.length ? new Next.Lost(newest) : collect(place);
        } finally {
            lock.unlock();
        }
    }

    private Next collect(long place) {
        long last = place;
        int size = 0;
        while (last < newest && size < MOST_BYTES) {
            last++;
            size += ring[slot(last)].length;
        }
        ByteArrayOutputStream frames = new ByteArrayOutputStream(size);
        for (long number = place + 1; number <= last; number++) {
            frames.writeBytes(ring[slot(number)]);
        }
        return new Next.Events(frames, last);
    }

    void close() {
        lock.lock();
        try {
            closed = true;
            more.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
