package dev.heddle.job;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * One ended execution of a job on one worker. Immutable.
 *
 * @param number the number of the attempt, from 1; claims that were released unstarted leave gaps
 * @param node the node that ran it
 * @param worker the worker that ran it; empty if the node died
 * @param assignedAt when the node claimed the job
 * @param startedAt when the handler started; null if the node died before the start was written
 * @param endedAt when the attempt ended, or was found dead
 * @param end how it ended
 * @param failure why it failed; null if it did not
 */
public record Attempt(int number, String node, String worker, Instant assignedAt, @Nullable Instant startedAt,
        Instant endedAt, End end, @Nullable Failure failure) {

    /** How an attempt ended. */
    public enum End {
        /** The handler returned. */
        COMPLETED,
        /** The handler returned, and has the job run again later. */
        RESCHEDULED,
        /** The first phase of a two-phase job is over; the job goes on. */
        INGESTED,
        /** The handler threw. */
        FAILED,
        /** The attempt took too long or fell silent. */
        TIMED_OUT,
        /** The job was cancelled. */
        CANCELLED,
        /** The job went back to the queue unfinished, because its node closed or lost its lease. Does not count. */
        RELEASED,
        /** The node died, and this attempt is not known to be the cause. Does not count. */
        NODE_DIED,
        /**
         * The attempt brought its node down, by all that is known, or ended its JVM. {@link Job.Counts#crashes()} counts
         * these.
         */
        CRASHED
    }
}
