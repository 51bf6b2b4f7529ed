package dev.heddle.limit;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.job.JsonMappers;
import dev.heddle.job.Limits;
import tools.jackson.databind.JsonNode;

/**
 * The place of one value in JSON, such as {@code $.customer.id} or {@code $.items[0]['the id']}. There are no wildcards
 * and no filters, because a job has one key.
 *
 * @param text the path as text
 */
public record JsonPath(String text) {

    private static final Pattern STEP = Pattern.compile("\\.([\\p{L}_][\\p{L}\\p{N}_-]*)|\\[(\\d{1,6})]|\\['([^']+)']");

    /** Checks the text. */
    public JsonPath {
        steps(Limits.name("a JSON path", text));
    }

    /**
     * Parses a path.
     *
     * @throws IllegalArgumentException if it is not one
     */
    public static JsonPath of(String text) {
        return new JsonPath(text);
    }

    private static List<Object> steps(String text) {
        List<Object> steps = new ArrayList<>();
        Matcher matcher = STEP.matcher(text).region(Math.min(1, text.length()), text.length());
        while (matcher.lookingAt()) {
            if (matcher.group(2) != null) {
                steps.add(Integer.parseInt(matcher.group(2)));
            } else {
                steps.add(matcher.group(1) != null ? matcher.group(1) : matcher.group(3));
            }
            matcher.region(matcher.end(), text.length());
        }
        if (!text.startsWith("$") || steps.isEmpty() || matcher.regionStart() < text.length()) {
            throw new IllegalArgumentException("'" + Limits.quoted(text)
                    + "' is not a path to one value; write one such as $.customer.id, $.items[0] or $['the id']");
        }
        return steps;
    }

    /**
     * Returns the value at this place as text; empty if there is none, or null.
     *
     * @param what the value, for messages
     * @throws IllegalArgumentException if it is an object or an array, or cannot be a name
     */
    Optional<String> textIn(String json, String what) {
        JsonNode node = JsonMappers.readStrictly(json);
        for (Object step : steps(text)) {
            node = step instanceof Integer index ? node.path(index) : node.path((String) step);
        }
        if (node.isMissingNode() || node.isNull()) {
            return Optional.empty();
        }
        if (!node.isValueNode()) {
            throw new IllegalArgumentException(
                    what + " must be a string, a number or a boolean at " + text + " in the payload");
        }
        return Optional.of(Limits.name(what + " at " + text, node.asString()));
    }

    /** Returns the path as text. */
    @Override
    public String toString() {
        return text;
    }
}
