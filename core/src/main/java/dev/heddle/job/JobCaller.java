package dev.heddle.job;

import java.util.Set;

/**
 * A job whose process calls the node that runs it, with a token that is valid while the attempt runs.
 *
 * @param job the attempt for which the process acts
 * @param spawns the types of children that the process may submit
 */
public record JobCaller(JobContext job, Set<String> spawns) {

    /** Copies the types. */
    public JobCaller {
        spawns = Set.copyOf(spawns);
    }
}
