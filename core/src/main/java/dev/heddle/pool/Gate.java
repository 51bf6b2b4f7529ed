package dev.heddle.pool;

import java.util.Map;
import java.util.Optional;

/**
 * Holds jobs back while something they need is missing, such as memory for another process or money in a budget. They
 * stay queued and use up no attempt; {@link PoolStats#held} shows the reasons. Must be safe for use by many threads. If
 * a method throws, that is logged, and the gate counts as open.
 */
@FunctionalInterface
public interface Gate {

    /** Returns a short name for what this gate looks at, such as {@code budget}. Users see it beside the reason. */
    default String name() {
        return "application";
    }

    /**
     * Returns why no job of a type may start now; empty if one may. Called before every claim and start, so be quick.
     */
    Optional<String> holdReason(String type);

    /**
     * Returns the tags whose jobs of a type may not start now, each with the reason. Called as often as
     * {@link #holdReason}.
     */
    default Map<String, String> heldTags(String type) {
        return Map.of();
    }

    /**
     * Called right before a job of a type starts, and before the other methods are asked again: the time to refresh
     * answers.
     */
    default void beforeStart(String type) {}
}
