package dev.heddle.control;

import org.jspecify.annotations.Nullable;

/**
 * The payload of the job that a batch is. Its units are in a file until they are jobs: a payload is too small for thousands.
 *
 * @param name as people call it, and the subject of its job
 * @param type of its units: the same name with another template is another type
 * @param definition what does the units, as it was written
 * @param directory where relative paths in it start
 * @param prompt what each unit is asked; null where a command does them
 * @param units how many there are
 * @param unitsFile where they are, one JSON a line
 * @param tryFirst how many of them run before somebody approves; 0 for all
 */
public record BatchOrder(String name, String type, String definition, String directory,
        @Nullable String prompt,
        int units, String unitsFile, int tryFirst) {

    /** What all such jobs are tagged with. */
    public static final String TAG = "heddle-batch";

    /** Where units wait for approval. */
    public String queue() {
        return type;
    }
}
