package dev.heddle.control;

import java.util.List;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * The payload of the job that a batch is.
 *
 * @param name as people call it
 * @param type of its units: the same name with another template is another type
 * @param definition what does the units, as it was written
 * @param directory where relative paths in it start
 * @param prompt what each unit is asked; null where a command does them
 * @param units one payload each
 * @param tryFirst how many of them run before somebody approves; 0 for all
 */
public record BatchOrder(String name, String type, String definition, String directory,
        @Nullable String prompt,
        List<JsonNode> units, int tryFirst) {

    /** What all such jobs are tagged with. */
    public static final String TAG = "heddle-batch";

    /** Where units wait for approval. */
    public String queue() {
        return type;
    }
}
