package dev.heddle.batch;

import dev.heddle.template.MissingFieldException;
import dev.heddle.template.Template;

/**
 * A prompt with {@code {{field}}} in it, for the fields of a payload.
 *
 * @param origin where it was written, for messages
 */
public record PromptTemplate(String origin, String text) {

    public PromptTemplate {
        if (text.isBlank()) {
            throw new BatchException(origin + " has no prompt in it");
        }
    }

    /** For one unit. */
    public String fill(Unit unit) {
        try {
            return new Template(text).fill(unit.payload());
        } catch (MissingFieldException e) {
            throw new BatchException(
                    origin + " has {{" + e.field() + "}}, which " + unit.origin() + " does not have; "
                            + e.known(),
                    e);
        }
    }
}
