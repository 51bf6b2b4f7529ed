package dev.heddle.control.local;

import java.nio.charset.StandardCharsets;

import dev.heddle.control.ControlException;
import dev.heddle.control.ControlJson;
import dev.heddle.job.Job;
import dev.heddle.job.Limits;
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

    /**
     * Reads the payload of a batch.
     *
     * @throws ControlException if the payload is not the description of a batch
     */
    public static BatchSpec of(Job batch) {
        return ControlJson.read(batch.spec().payload().getBytes(StandardCharsets.UTF_8), BatchSpec.class).checked();
    }

    /**
     * Returns this description if it is complete and its units have a type of their own.
     *
     * @throws ControlException if it does not
     */
    public BatchSpec checked() {
        InputChecks.present("name", name);
        InputChecks.present("definition", definition);
        InputChecks.present("directory", directory);
        InputChecks.present("unitsFile", unitsFile);
        if (!InputChecks.name("type", type).startsWith(ReservedNames.UNITS)) {
            throw ControlException.invalid("the type of the units must start with '" + ReservedNames.UNITS + "': '"
                    + Limits.quoted(type) + "'");
        }
        return this;
    }

    /** Returns the queue of the units, which is paused until the batch is approved. */
    public String queue() {
        return type;
    }
}
