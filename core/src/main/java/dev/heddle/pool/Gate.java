package dev.heddle.pool;

import java.util.Map;
import java.util.Optional;

/**
 * Holds jobs of some types back for as long as something is missing that is no fault of theirs, such as memory for
 * another process. They stay queued, and burn no attempt; the reason is in {@link PoolStats#held}.
 */
@FunctionalInterface
public interface Gate {

    /** Why no job of the type may start now; empty where one may. Asked before every claim and start, so be quick. */
    Optional<String> closed(String type);

    /** Tags whose jobs of the type may not start now, with the reason. Asked as often, and for types that are open. */
    default Map<String, String> closedTags(String type) {
        return Map.of();
    }

    /** A job of the type is about to start, and the questions are asked once more: here is time to look up the answers. */
    default void aboutToStart(String type) {}
}
