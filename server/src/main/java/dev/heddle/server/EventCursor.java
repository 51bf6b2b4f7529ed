package dev.heddle.server;

import java.util.HashMap;
import java.util.Map;

import dev.heddle.event.NodeEvent;
import org.jspecify.annotations.Nullable;

/**
 * The position of a reader in an {@link EventLog}. A reader that resumes has positions of its own until the log has
 * reached them: it skips events that it received from another node. Only the thread of the reader changes it.
 */
final class EventCursor {

    private final EventFilter filter;
    /** Whether the reader did not resume, so that it expects nothing from before. */
    private final boolean fresh;
    private volatile long index;
    private @Nullable Map<String, Long> read;

    EventCursor(EventFilter filter, boolean fresh) {
        this.filter = filter;
        this.fresh = fresh;
    }

    /** Returns the index in the log of the last event that the reader is past. */
    long index() {
        return index;
    }

    /** Moves the reader; {@code positions} are its own, or null if they are those of the log. */
    void moveTo(long place, @Nullable Map<String, Long> positions) {
        index = place;
        read = positions == null ? null : new HashMap<>(positions);
    }

    boolean isConcernedBy(String source, long gapUpTo, boolean early) {
        Map<String, Long> own = read;
        return !(early && fresh) && (own == null || own.getOrDefault(source, 0L) < gapUpTo);
    }

    /** Moves past the next event of the log; returns whether it is new to the reader. */
    boolean advance(String source, long number) {
        long next = index + 1;
        index = next;
        return read == null || advanceTo(source, number);
    }

    /** Moves past an event that does not come from the log; returns whether it is new to the reader. */
    boolean advanceTo(String source, long number) {
        Map<String, Long> own = read;
        if (own == null || own.getOrDefault(source, 0L) >= number) {
            return false;
        }
        own.put(source, number);
        return true;
    }

    boolean wants(NodeEvent event) {
        return filter.test(event);
    }

    boolean isCatchingUp() {
        return read != null;
    }

    /** Returns the id of the position of a reader that is catching up, or has reached the end of the log. */
    String id(Map<String, Long> positionsOfLog) {
        return EventPositions.text(read == null ? positionsOfLog : read);
    }

    /** Ends catching up if the reader, at the end of the log, has read nothing that the log does not have yet. */
    void caughtUp(Map<String, Long> positions) {
        Map<String, Long> own = read;
        if (own != null
                && own.entrySet().stream().allMatch(
                        entry -> positions.getOrDefault(entry.getKey(), Long.MAX_VALUE) >= entry.getValue())) {
            read = null;
        }
    }
}
