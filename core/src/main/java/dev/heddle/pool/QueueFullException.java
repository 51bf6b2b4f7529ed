package dev.heddle.pool;

/** A queue has reached its capacity; nothing was submitted. */
public final class QueueFullException extends RuntimeException {

    private final String queue;
    private final int capacity;

    QueueFullException(String queue, int capacity) {
        super("queue '" + queue + "' is full: it holds its " + capacity
                + " jobs; submit with a wait, raise queueCapacity or add workers");
        this.queue = queue;
        this.capacity = capacity;
    }

    public String queue() {
        return queue;
    }

    public int capacity() {
        return capacity;
    }
}
