package dev.heddle.event;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * An optional capability of a shared store: passes the events of each node to the others. Sources publish only while
 * anyone subscribes. The store keeps the newest events of each source, and may lose all of them if its server
 * crashes. Safe for use by many threads.
 */
public interface EventStore {

    /** How long the events of a source are kept at least after it published for the last time. */
    Duration RETENTION = Duration.ofMinutes(10);

    /**
     * Subscribes to the events of all nodes for some time, or prolongs that. Nodes are told at once if nobody
     * subscribed before. Also deletes the events of sources that have not published for {@link #RETENTION}.
     */
    void subscribe(String subscriber, Duration length);

    /** Returns for how long anyone subscribes from now on; zero if nobody does. */
    Duration subscribed();

    /**
     * Publishes a batch, which follows the batches before it or leaves a gap, and tells other nodes.
     *
     * @param kept how many of the newest events of the source to keep; older ones may be deleted
     */
    void publish(EventBatch batch, int kept);

    /** Returns the position of each source: the number of its last event. */
    Map<String, Long> positions();

    /**
     * Returns the batches that have events after the given positions, by source and then in order.
     *
     * @param positions the position from which to read, for each source
     * @param most how many batches of each source to return
     */
    List<EventBatch> eventsAfter(Map<String, Long> positions, int most);
}
