package dev.heddle.command;

import java.util.List;

import dev.heddle.job.JobException;
import dev.heddle.template.MissingFieldException;
import dev.heddle.template.Template;
import tools.jackson.databind.JsonNode;

/**
 * Fills {@code {{field}}} in arguments from a job's payload. Each argument is filled in separately and no shell reads
 * it, so a value remains one argument, whatever it contains.
 */
public final class Arguments {

    private Arguments() {}

    /** Fills in a list of arguments. */
    public static List<String> fill(List<String> arguments, JsonNode payload) {
        return arguments.stream().map(argument -> fill(argument, payload)).toList();
    }

    /** Fills in one argument. A missing field is a permanent failure, because a retry would not find it either. */
    public static String fill(String text, JsonNode payload) {
        String filled;
        try {
            filled = new Template(text).fill(payload);
        } catch (MissingFieldException e) {
            throw JobException.permanent("the command needs the field '" + e.field()
                    + "', which the payload does not have; " + e.available(), e);
        }
        if (filled.indexOf('\0') >= 0) {
            throw JobException.permanent(
                    "the argument '" + text + "' cannot be filled in: a value in the payload contains a NUL character");
        }
        return filled;
    }
}
