package dev.heddle.batch;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;

/**
 * A prompt with {@code {{field}}} in it, for the fields of a payload.
 *
 * @param origin where it was written, for messages
 */
public record PromptTemplate(String origin, String text) {

    /** Anything else in double braces stays as it stands: prompts are about code, too. */
    private static final Pattern FIELD = Pattern.compile("\\{\\{\\s*([A-Za-z_][A-Za-z0-9_-]*)\\s*}}");

    public PromptTemplate {
        if (text.isBlank()) {
            throw new BatchException(origin + " has no prompt in it");
        }
    }

    /** The fields that it needs. */
    public Set<String> fields() {
        Set<String> fields = new LinkedHashSet<>();
        FIELD.matcher(text).results().forEach(found -> fields.add(found.group(1)));
        return fields;
    }

    /** For one unit. What is in a value is never taken for a field. */
    public String fill(Unit unit) {
        return FIELD.matcher(text).replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), unit)));
    }

    private String value(String field, Unit unit) {
        JsonNode value = unit.payload().get(field);
        if (value == null || value.isNull()) {
            Set<String> known = new TreeSet<>(unit.payload().propertyNames());
            throw new BatchException(origin + " has {{" + field + "}}, which " + unit.origin() + " does not have; "
                    + (known.isEmpty() ? "it has no fields at all" : "there are " + String.join(", ", known)));
        }
        return value.isString() ? value.stringValue() : value.toString();
    }
}
