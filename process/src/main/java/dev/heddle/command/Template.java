package dev.heddle.command;

import java.util.List;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import dev.heddle.job.JobException;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Text with {@code {{field}}} in it, filled in from a payload. Each argument of a command is filled in by itself, and no
 * shell ever reads it, so that a value stays one argument whatever is in it.
 */
final class Template {

    /** Anything else in double braces is left as it stands: other tools have templates too. */
    private static final Pattern FIELD = Pattern.compile("\\{\\{\\s*([A-Za-z_][A-Za-z0-9_.-]*)\\s*}}");

    private Template() {}

    static boolean hasFields(String text) {
        return FIELD.matcher(text).find();
    }

    static List<String> fill(List<String> arguments, JsonNode payload) {
        return arguments.stream().map(argument -> fill(argument, payload)).toList();
    }

    static String fill(String text, JsonNode payload) {
        Matcher field = FIELD.matcher(text);
        String filled = field.replaceAll(found -> Matcher.quoteReplacement(value(found.group(1), payload)));
        if (filled.indexOf('\0') >= 0) {
            throw JobException.permanent("'" + text + "' cannot be filled in: no argument can have a NUL");
        }
        return filled;
    }

    private static String value(String name, JsonNode payload) {
        JsonNode found = find(name, payload);
        if (found == null || found.isNull()) {
            throw JobException.permanent("the payload has no field '" + name + "', which the command needs; "
                    + (payload.isObject() && !payload.isEmpty()
                            ? "it has " + String.join(", ", new TreeSet<>(payload.propertyNames()))
                            : "it has none"));
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
