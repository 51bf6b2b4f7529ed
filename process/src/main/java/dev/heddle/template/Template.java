package dev.heddle.template;

import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Text that contains {@code {{field}}} and is filled in from a payload. Values are inserted literally: a {@code
 * {{field}}} within a value is not filled in again.
 *
 * @param text the text with its fields
 */
public record Template(String text) {

    /** Other text in double braces is left alone: other tools have templates too, and prompts are often about code. */
    private static final Pattern FIELD = Pattern.compile("\\{\\{\\s*([A-Za-z_][A-Za-z0-9_.-]*)\\s*}}");

    /** Tells whether the text contains any field. */
    public boolean hasFields() {
        return FIELD.matcher(text).find();
    }

    /**
     * Returns the text with the payload's values in place of the fields. {@code {{a.b}}} is the field {@code a.b} if
     * there is one, and the field {@code b} of the object {@code a} otherwise.
     *
     * @throws MissingFieldException for the first field that the payload does not have
     */
    public String fill(JsonNode payload) {
        return FIELD.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), payload)));
    }

    private static String value(String name, JsonNode payload) {
        JsonNode found = find(name, payload);
        if (found == null || found.isNull()) {
            throw new MissingFieldException(name, Set.copyOf(payload.propertyNames()));
        }
        return found.isString() ? found.stringValue() : found.toString();
    }

    private static @Nullable JsonNode find(String name, JsonNode payload) {
        JsonNode found = payload.get(name);
        for (int dot = name.indexOf('.'); found == null && dot > 0; dot = name.indexOf('.', dot + 1)) {
            JsonNode outer = payload.get(name.substring(0, dot));
            found = outer == null ? null : find(name.substring(dot + 1), outer);
        }
        return found;
    }
}
