package dev.heddle.event;

/**
 * The events of this node. They are numbered without gaps while anybody listens, here or on another node. A source lasts
 * as long as its pool, even if the node rejoins under another id.
 */
public interface EventSource {

    /** Returns the name of this source in the store. */
    String id();

    /** Returns the number of the newest event; 0 if there was none. */
    long position();

    /** Adds a listener; close the result to remove it. */
    AutoCloseable listen(EventListener listener);

    /** Looks at once whether anyone subscribes, because that has changed. */
    void subscriptionChanged();
}
