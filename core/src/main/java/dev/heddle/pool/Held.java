package dev.heddle.pool;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What may not start on a node now, and why. Such jobs are QUEUED in the store, and PAUSED as people see them.
 *
 * @param types by their names
 * @param tags of types that may start, by the name of the type and then of the tag
 */
public record Held(Map<String, String> types, Map<String, Map<String, String>> tags) {

    public static final Held NOTHING = new Held(Map.of(), Map.of());

    public Held {
        types = Map.copyOf(types);
        tags = Map.copyOf(tags);
    }

    /** Why a job of the type with these tags may not start; empty where it may. */
    public Optional<String> reason(String type, Collection<String> ofJob) {
        Map<String, String> closed = tags.getOrDefault(type, Map.of());
        return Optional.ofNullable(types.get(type))
                .or(() -> ofJob.stream().sorted().filter(closed::containsKey).findFirst().map(closed::get));
    }

    /** The reasons by the name of a type, or by {@code tag:NAME}. */
    Map<String, String> reasons() {
        Map<String, String> reasons = new TreeMap<>(types);
        tags.values().forEach(closed -> closed.forEach((tag, reason) -> reasons.put("tag:" + tag, reason)));
        return reasons;
    }
}
