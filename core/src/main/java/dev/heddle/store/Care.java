package dev.heddle.store;

/** How carefully an attempt was started, for whoever finds its node dead. */
public enum Care {
    /** Its RUNNING was written beside others while the handler ran: nobody knows whose doing the death was. */
    NONE,
    /** Its RUNNING was committed before the handler started: the death of the node counts as its crash. */
    BLAMED,
    /** The same, and its type must not silently run twice. */
    ONCE;

    /** Whether the handler waits for the commit of its start. */
    public boolean commitsFirst() {
        return this != NONE;
    }
}
