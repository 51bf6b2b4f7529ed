package dev.heddle.control.local;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.heddle.control.model.NodeDifference;

/** Finds the settings in which nodes differ. */
final class NodeDifferences {

    private static final String TYPE = "type ";

    private NodeDifferences() {}

    /**
     * Returns the differences, by the name of the setting.
     *
     * @param settings the settings of each node, by its id
     */
    static List<NodeDifference> of(SortedMap<String, ? extends SortedMap<String, String>> settings) {
        SortedSet<String> names = new TreeSet<>();
        settings.values().forEach(node -> names.addAll(node.keySet()));
        List<NodeDifference> differences = new ArrayList<>();
        for (String name : names) {
            SortedMap<String, String> values = new TreeMap<>();
            settings.forEach((node, own) -> {
                if (own.containsKey(name)) {
                    values.put(node, own.get(name));
                }
            });
            boolean differ = values.size() < settings.size() || new TreeSet<>(values.values()).size() > 1;
            if (differ && !isOfNode(name) && !followsFromType(name, settings)) {
                differences.add(new NodeDifference(name, values, text(name, values, settings.keySet())));
            }
        }
        return differences;
    }

    /** Types that nodes register for their own jobs come and go. */
    private static boolean isOfNode(String name) {
        return name.startsWith(TYPE) && ReservedNames.isInternalType(type(name));
    }

    /** If some nodes have no handler for a type, only that is a difference, unless those that have one differ. */
    private static boolean followsFromType(String name,
            SortedMap<String, ? extends SortedMap<String, String>> settings) {
        if (!name.startsWith(TYPE) || name.equals(TYPE + type(name))) {
            return false;
        }
        return settings.values().stream().filter(node -> node.containsKey(TYPE + type(name)))
                .map(node -> node.getOrDefault(name, "")).distinct().count() < 2;
    }

    /** Returns the type of a setting such as {@code type mail: timeout}. The names of types have no spaces. */
    private static String type(String name) {
        int end = name.indexOf(": ");
        return name.substring(TYPE.length(), end < 0 ? name.length() : end);
    }

    private static String text(String name, SortedMap<String, String> values, Iterable<String> nodes) {
        SortedMap<String, List<String>> nodesByValue = new TreeMap<>();
        List<String> without = new ArrayList<>();
        for (String node : nodes) {
            String value = values.get(node);
            if (value == null) {
                without.add(node);
            } else {
                nodesByValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(node);
            }
        }
        return name + " "
                + nodesByValue.entrySet().stream()
                        .map(entry -> entry.getKey() + " on " + String.join(" and ", entry.getValue()))
                        .collect(Collectors.joining(", "))
                + (without.isEmpty() ? "" : ", not on " + String.join(" and ", without));
    }
}
