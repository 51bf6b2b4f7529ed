package dev.heddle.command;

import java.util.List;

import dev.heddle.job.JobException;
import dev.heddle.template.MissingFieldException;
import dev.heddle.template.Template;
import tools.jackson.databind.JsonNode;

/**
 * Arguments with {@code {{field}}} in them. Each is filled in by itself, and no shell ever reads it, so that a value stays
 * one argument whatever is in it.
 */
public final class Arguments {

    private Arguments() {}

    public static List<String> fill(List<String> arguments, JsonNode payload) {
        return arguments.stream().map(argument -> fill(argument, payload)).toList();
    }

    /** A field that is not there will not be there the next time. */
    public static String fill(String text, JsonNode payload) {
        String filled;
        try {
            filled = new Template(text).fill(payload);
        } catch (MissingFieldException e) {
            throw JobException.permanent("the payload has no field '" + e.field()
                    + "', which the command needs; " + e.known(), e);
        }
        if (filled.indexOf('\0') >= 0) {
            throw JobException.permanent("'" + text + "' cannot be filled in: no argument can have a NUL");
        }
        return filled;
    }
}
