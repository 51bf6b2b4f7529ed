package dev.heddle.pool;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.heddle.waiting.NodeStatus;

/**
 * Why jobs may not start on a node now. Such jobs are QUEUED in the store and shown as PAUSED. Immutable.
 *
 * @param types the reasons by the name of a type that may not start at all
 * @param tags the reasons by the name of a type that may start, and then by a tag whose jobs may not
 */
public record HoldReasons(Map<String, String> types, Map<String, Map<String, String>> tags) {

    /** Every job may start. */
    public static final HoldReasons NONE = new HoldReasons(Map.of(), Map.of());

    /** Copies the maps. */
    public HoldReasons {
        types = Map.copyOf(types);
        tags = Map.copyOf(tags);
    }

    /** Returns why a job of a type with these tags may not start; empty if it may. */
    public Optional<String> reason(String type, Collection<String> jobTags) {
        Map<String, String> closed = tags.getOrDefault(type, Map.of());
        return Optional.ofNullable(types.get(type))
                .or(() -> jobTags.stream().sorted().filter(closed::containsKey).findFirst().map(closed::get));
    }

    /** Returns the reasons of a node. */
    public static HoldReasons of(NodeStatus node) {
        Map<String, String> types = new TreeMap<>();
        Map<String, Map<String, String>> tags = new TreeMap<>();
        for (NodeStatus.TypeStatus type : node.types()) {
            String reason = type.hold() == null ? node.held() : type.hold().reason();
            if (reason != null) {
                types.put(type.name(), reason);
            } else if (!type.tags().isEmpty()) {
                Map<String, String> closed = new TreeMap<>();
                type.tags().forEach((tag, hold) -> closed.put(tag, hold.reason()));
                tags.put(type.name(), closed);
            }
        }
        return new HoldReasons(types, tags);
    }

    /** Returns all reasons by the name of a type, or by {@code tag:NAME}. */
    public Map<String, String> reasons() {
        Map<String, String> reasons = new TreeMap<>(types);
        tags.values().forEach(closed -> closed.forEach((tag, reason) -> reasons.put("tag:" + tag, reason)));
        return reasons;
    }
}
