package dev.heddle.process;

import java.util.Locale;

/** What Heddle tells a process about itself. The name has the settable prefix before it: {@code HEDDLE_JOB_ID}. */
public enum Variable {
    /** The job it runs for. */
    JOB_ID,
    /** The worker that runs it. */
    WORKER_ID,
    /** The number of the attempt, from 1. */
    ATTEMPT,
    /** Its worktree, which is its working directory too. */
    WORKTREE_PATH,
    /** The configuration of the node. */
    CONFIG_PATH,
    /** The file with the payload, as JSON. */
    PAYLOAD_PATH,
    /** The file it may write a result to, as JSON. */
    RESULT_PATH;

    /** The prefix unless told otherwise. */
    public static final String PREFIX = "HEDDLE";

    /** The prefix of the design that process workers come from, which has another word for a job. */
    private static final String ORIGINAL = "ACODE";

    /** Its name in the environment. */
    public String under(String prefix) {
        boolean original = prefix.toUpperCase(Locale.ROOT).equals(ORIGINAL);
        return prefix + "_" + (this == JOB_ID && original ? "TASK_ID" : name());
    }
}
