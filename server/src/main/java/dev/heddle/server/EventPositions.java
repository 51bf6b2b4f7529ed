package dev.heddle.server;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * The positions of a reader in the events of all nodes, as the text that clients send back to resume:
 * {@code 4xk2p1-28~9fq0aa-1}, a source and the number of its last event, for each source.
 */
final class EventPositions {

    private static final Pattern TEXT = Pattern.compile("[0-9a-z]{1,16}-[0-9]{1,18}(~[0-9a-z]{1,16}-[0-9]{1,18})*");

    private EventPositions() {}

    static String text(Map<String, Long> positions) {
        StringBuilder text = new StringBuilder();
        new TreeMap<>(positions).forEach((source, number) -> append(text, source, number));
        return text.toString();
    }

    /** Returns the text for the positions of the other sources and this one. */
    static String text(String others, String source, long number) {
        return append(new StringBuilder(others), source, number).toString();
    }

    private static StringBuilder append(StringBuilder text, String source, long number) {
        return text.append(text.isEmpty() ? "" : "~").append(source).append('-').append(number);
    }

    /** Parses the text; returns empty if it is something else. */
    static Optional<Map<String, Long>> parse(@Nullable String text) {
        if (text == null || text.length() > 20_000 || !TEXT.matcher(text).matches()) {
            return Optional.empty();
        }
        Map<String, Long> positions = new HashMap<>();
        for (String part : text.split("~", -1)) {
            int dash = part.indexOf('-');
            positions.put(part.substring(0, dash), Long.parseLong(part.substring(dash + 1)));
        }
        return Optional.of(positions);
    }
}
