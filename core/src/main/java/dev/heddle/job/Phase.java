package dev.heddle.job;

/** Where a job of a {@link TwoPhaseHandler} stands. Every other job is in its first phase for good. */
public enum Phase {
    /** Its children are still to be spawned. */
    INGEST,
    /** Its children are spawned; what is left is to make one result of theirs. */
    AGGREGATE
}
