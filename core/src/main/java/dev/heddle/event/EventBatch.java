package dev.heddle.event;

import java.util.List;

import static java.util.Objects.requireNonNull;

/**
 * Consecutive events of one source.
 *
 * @param source the id of the source
 * @param after the number of the event before the first one
 * @param events the events; none to say only where the source stands
 */
public record EventBatch(String source, long after, List<NodeEvent> events) {

    /** Checks the batch. */
    public EventBatch {
        requireNonNull(source, "source");
        events = List.copyOf(events);
    }

    /** Returns the number of the last event. */
    public long last() {
        return after + events.size();
    }
}
