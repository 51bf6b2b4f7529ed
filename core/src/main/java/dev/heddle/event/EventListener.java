package dev.heddle.event;

/** Hears the events of one node in the order of their numbers. It is called under a lock, so it must be quick. */
public interface EventListener {

    /** Called for each event of this node. */
    void event(long number, NodeEvent event);

    /** Called if other nodes may have published events. */
    default void published() {}
}
