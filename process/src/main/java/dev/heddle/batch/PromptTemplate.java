package dev.heddle.batch;

import dev.heddle.template.MissingFieldException;
import dev.heddle.template.Template;

/**
 * The prompt of a batch, which may contain {@code {{field}}} for fields of a unit.
 *
 * @param origin where the prompt is written, for messages
 * @param text the prompt
 */
public record PromptTemplate(String origin, String text) {

    /** Checks that the prompt is not blank. */
    public PromptTemplate {
        if (text.isBlank()) {
            throw new BatchException(origin + ": the prompt is blank");
        }
    }

    /** Returns the prompt of one unit. */
    public String fill(Unit unit) {
        try {
            return new Template(text).fill(unit.payload());
        } catch (MissingFieldException e) {
            throw new BatchException(origin + " contains {{" + e.field() + "}}, but " + unit.origin()
                    + " has no such field; " + e.available(), e);
        }
    }
}
