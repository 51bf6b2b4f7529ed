package dev.heddle.job;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One ended execution of a job on one worker. Never changes.
 *
 * @param number from 1; handed-back claims leave gaps
 * @param startedAt empty where the node died before the start was written
 */
public record Attempt(int number, String node, String worker, Instant assignedAt, @Nullable Instant startedAt,
        Instant endedAt, End end, @Nullable Failure failure) {

    /** How an attempt ended. */
    public enum End {
        COMPLETED,
        /** The first phase of a two-phase job is over; the job is not. */
        INGESTED, FAILED, TIMED_OUT, CANCELLED,
        /** Given back to the queue unfinished: closing, lost lease. Not counted. */
        RELEASED,
        /** Its node died. */
        CRASHED
    }
}
