package dev.heddle.job;

/** The phases of a job with a {@link TwoPhaseHandler}. Every other job stays in {@link #INGEST}. */
public enum Phase {
    /** The job has yet to spawn its children. */
    INGEST,
    /** The children are stored; what is left is to combine their results. */
    AGGREGATE
}
