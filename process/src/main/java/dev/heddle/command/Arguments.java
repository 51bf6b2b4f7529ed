package dev.heddle.command;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

import dev.heddle.job.JobException;
import dev.heddle.template.MissingFieldException;
import dev.heddle.template.Template;
import tools.jackson.databind.JsonNode;

/**
 * Fills {@code {{field}}} in arguments from a job's payload. Each argument is filled in separately and no shell reads
 * it, so a value remains one argument, whatever it contains.
 */
public final class Arguments {

    private static final Pattern NO_OPTION = Pattern.compile("-(\\d+(\\.\\d+)?)?");

    private Arguments() {}

    /**
     * Fills in a list of arguments. A value that would become an option is a permanent failure: an argument that starts
     * with a field must not be filled with a text that starts with a dash, unless {@code --} precedes it. Negative
     * numbers and a single dash are no options.
     */
    public static List<String> fill(List<String> arguments, JsonNode payload) {
        List<String> filled = new ArrayList<>();
        for (String argument : arguments) {
            String text = fill(argument, payload);
            if (text.startsWith("-") && !argument.startsWith("-") && !NO_OPTION.matcher(text).matches()
                    && !filled.contains("--")) {
                throw JobException.permanent("the value '" + text + "' of the argument '" + argument
                        + "' would become an option; put -- before the argument, or write --option=" + argument);
            }
            filled.add(text);
        }
        return List.copyOf(filled);
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
