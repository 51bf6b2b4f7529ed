package dev.heddle.template;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** Text with {@code {{field}}} in it, filled in from a payload. What is in a value is never taken for a field. */
public record Template(String text) {

    /** Anything else in double braces is left as it stands: other tools have templates too, and prompts are about code. */
    private static final Pattern FIELD = Pattern.compile("\\{\\{\\s*([A-Za-z_][A-Za-z0-9_.-]*)\\s*}}");

    public boolean hasFields() {
        return FIELD.matcher(text).find();
    }

    /** The fields that it needs, in the order of the text. */
    public Set<String> fields() {
        Set<String> fields = new LinkedHashSet<>();
        FIELD.matcher(text).results().forEach(found -> fields.add(found.group(1)));
        return fields;
    }

    /**
     * With the payload's values in the place of the fields.
     *
     * @throws MissingFieldException for the first field that the payload does not have
     */
    public String fill(JsonNode payload) {
        return FIELD.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), payload)));
    }

    private static String value(String name, JsonNode payload) {
        JsonNode found = find(name, payload);
        if (found == null || found.isNull()) {
            throw new MissingFieldException(name, Set.copyOf(payload.propertyNames()));
        }
        return found.isString() ? found.stringValue() : found.toString();
    }

    /** A field of that very name first, then one within another: {@code a.b}. */
    private static @Nullable JsonNode find(String name, JsonNode payload) {
        JsonNode found = payload.get(name);
        for (int dot = name.indexOf('.'); found == null && dot > 0; dot = name.indexOf('.', dot + 1)) {
            JsonNode outer = payload.get(name.substring(0, dot));
            found = outer == null ? null : find(name.substring(dot + 1), outer);
        }
        return found;
    }
}
