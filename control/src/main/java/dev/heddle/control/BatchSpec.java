package dev.heddle.control;

import org.jspecify.annotations.Nullable;

/**
 * The payload of the job that represents a batch. The units are in a file until they are submitted as jobs, because a
 * payload cannot hold thousands of them.
 *
 * @param name the name people use, and the subject of the job
 * @param type the job type of the units; the same name with another template is another type
 * @param definition what processes a unit, as its author wrote it
 * @param directory the base of relative paths in the definition
 * @param prompt the prompt for each unit; null if a command processes the units
 * @param units the number of units
 * @param unitsFile the file with the units, one JSON value per line
 * @param tryFirst how many units run before the batch needs approval; 0 if all run at once
 */
public record BatchSpec(String name, String type, String definition, String directory, @Nullable String prompt,
        int units, String unitsFile, int tryFirst) {

    /** The tag of every job that represents a batch. */
    public static final String TAG = "heddle-batch";

    /** Returns the queue of the units, which is paused until the batch is approved. */
    public String queue() {
        return type;
    }
}
