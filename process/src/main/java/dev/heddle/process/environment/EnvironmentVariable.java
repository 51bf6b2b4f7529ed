package dev.heddle.process.environment;

import java.util.Locale;

/**
 * An environment variable by which Heddle informs a process. Its name starts with a configurable prefix, for example
 * {@code HEDDLE_JOB_ID}.
 */
public enum EnvironmentVariable {
    /** The id of the job. */
    JOB_ID,
    /** The id of the worker that runs the job. */
    WORKER_ID,
    /** The number of the attempt, from 1. */
    ATTEMPT,
    /** The path of the worktree, which is also the working directory. */
    WORKTREE_PATH,
    /** The path of the node's configuration file. */
    CONFIG_PATH,
    /** The path of the file that contains the payload as JSON. */
    PAYLOAD_PATH,
    /** The path of the file to which the process may write its result as JSON. */
    RESULT_PATH,
    /** The address of the node's API. */
    API_URL,
    /** The token by which the process calls that API on behalf of its job. */
    JOB_TOKEN;

    /** The default prefix. */
    public static final String PREFIX = "HEDDLE";

    /** With this prefix, the variables have the names of an earlier design, which called a job a task. */
    private static final String ORIGINAL_PREFIX = "ACODE";

    /** Returns the full name of the variable with the given prefix. */
    public String under(String prefix) {
        boolean original = prefix.toUpperCase(Locale.ROOT).equals(ORIGINAL_PREFIX);
        return prefix + "_" + (this == JOB_ID && original ? "TASK_ID" : name());
    }
}
