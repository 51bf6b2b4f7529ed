package dev.heddle.external;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What a worker has said about its job and nobody has acted upon yet. A worker that says more than the job's thread can
 * act upon, which waits for a commit at times, is held up: who reads from it waits here, its pipe fills, and it waits too.
 * What tells how far the job is, or that it is alive, is of no interest once it was said anew.
 */
final class Inbox {

    /** How much may wait, in characters; one message always fits. */
    static final int ROOM = 1 << 20;
    /** What a message takes besides its text. */
    private static final int OVERHEAD = 256;

    private final Deque<Event> events = new ArrayDeque<>();
    private long used;
    private boolean closed;

    /** What can happen while a job runs. */
    sealed interface Event {
        record Said(Message message, int size) implements Event {

            /** Whether this makes an earlier one needless. */
            boolean replaces(Message earlier) {
                return message instanceof Message.Notification(String method, _)
                        && earlier instanceof Message.Notification(String before, _) && method.equals(before)
                        && (method.equals(Protocol.PROGRESS) || method.equals(Protocol.HEARTBEAT));
            }
        }

        record Over(Exchange.End end) implements Event {}
    }

    /** Waits for room; an interrupt ends the wait and lets the message in, since it must not be lost. */
    synchronized void said(Message message, int length) {
        Event.Said said = new Event.Said(message, length + OVERHEAD);
        if (events.peekLast() instanceof Event.Said(Message last, int size) && said.replaces(last)) {
            events.removeLast();
            used -= size;
        }
        boolean interrupted = false;
        while (!closed && !interrupted && used > 0 && used + said.size() > ROOM) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (!closed) {
            events.addLast(said);
            used += said.size();
            notifyAll();
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** Never waits: it may be said by those who must not be held up. */
    synchronized void over(Exchange.End end) {
        events.addLast(new Event.Over(end));
        notifyAll();
    }

    synchronized Event take() throws InterruptedException {
        while (events.isEmpty()) {
            wait();
        }
        Event next = events.removeFirst();
        if (next instanceof Event.Said(_, int size)) {
            used -= size;
            notifyAll();
        }
        return next;
    }

    /** Nobody takes any more: what comes is dropped, and whoever waits for room goes on. */
    synchronized void close() {
        closed = true;
        events.clear();
        used = 0;
        notifyAll();
    }
}
