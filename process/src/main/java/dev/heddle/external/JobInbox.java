package dev.heddle.external;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Buffers a worker's messages about its job until the job's thread handles them. The buffer is bounded: if the worker
 * sends faster than the thread can handle, the reading thread blocks here, the pipe fills up, and the worker blocks
 * too. A progress report or heartbeat replaces the previous one if that has not been handled yet.
 */
final class JobInbox {

    /** The capacity in characters. A single message always fits. */
    static final int CAPACITY = 1 << 20;
    /** What a message takes up besides its text. */
    private static final int OVERHEAD = 256;

    private final Deque<Event> events = new ArrayDeque<>();
    private long used;
    private boolean closed;

    /** An event in the course of a job. */
    sealed interface Event {

        /** A message from the worker. */
        record Received(Message message, int size) implements Event {

            private boolean replaces(Message earlier) {
                return message instanceof Message.Notification(String method, _)
                        && earlier instanceof Message.Notification(String before, _) && method.equals(before)
                        && (method.equals(Protocol.PROGRESS) || method.equals(Protocol.HEARTBEAT));
            }
        }

        /** The end of the job. */
        record Ended(JobCall.End end) implements Event {}
    }

    /** Adds a message, and blocks while there is no room. An interrupt ends the wait but does not lose the message. */
    synchronized void add(Message message, int length) {
        Event.Received received = new Event.Received(message, length + OVERHEAD);
        if (events.peekLast() instanceof Event.Received(Message last, int size) && received.replaces(last)) {
            events.removeLast();
            used -= size;
        }
        boolean interrupted = false;
        while (!closed && !interrupted && used > 0 && used + received.size() > CAPACITY) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (!closed) {
            events.addLast(received);
            used += received.size();
            notifyAll();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Adds the end of the job. Never blocks, because threads call it that must not wait. */
    synchronized void addEnd(JobCall.End end) {
        events.addLast(new Event.Ended(end));
        notifyAll();
    }

    synchronized Event take() throws InterruptedException {
        while (events.isEmpty()) {
            wait();
        }
        Event next = events.removeFirst();
        if (next instanceof Event.Received(_, int size)) {
            used -= size;
            notifyAll();
        }
        return next;
    }

    /** Drops all messages, those to come included, and releases a thread that waits for room. */
    synchronized void close() {
        closed = true;
        events.clear();
        used = 0;
        notifyAll();
    }
}
