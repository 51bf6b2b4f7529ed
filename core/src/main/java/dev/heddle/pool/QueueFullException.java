package dev.heddle.pool;

import dev.heddle.job.HeddleException;

/** Thrown if a queue has reached its capacity; nothing was submitted. */
public final class QueueFullException extends HeddleException {

    private final String queue;
    private final int capacity;

    /** Creates the exception for a queue. */
    public QueueFullException(String queue, int capacity) {
        super("queue '" + queue + "' is full: it holds its " + capacity
                + " jobs; submit with a wait, raise queueCapacity or add workers");
        this.queue = queue;
        this.capacity = capacity;
    }

    /** Returns the name of the queue. */
    public String queue() {
        return queue;
    }

    /** Returns how many QUEUED jobs the queue may have. */
    public int capacity() {
        return capacity;
    }
}
