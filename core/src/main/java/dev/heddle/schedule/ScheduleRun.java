package dev.heddle.schedule;

import java.time.Instant;

import dev.heddle.job.JobId;
import org.jspecify.annotations.Nullable;

/**
 * A run of a schedule, or one that was left out. A schedule has at most one for each time.
 *
 * @param time when it was due, before jitter
 * @param firedAt when it was decided
 * @param kind why it was made
 * @param job its job; null if it was left out
 */
public record ScheduleRun(Instant time, Instant firedAt, Kind kind, @Nullable JobId job) {

    /** Why there is a run. */
    public enum Kind {
        /** The schedule fired. */
        FIRED,
        /** The schedule had missed it, and caught up. */
        CAUGHT_UP,
        /** A person asked for a run now. */
        TRIGGERED,
        /** A person asked for the runs of an earlier time. */
        BACKFILLED,
        /** The schedule fired while an earlier run went on, so there is no job. */
        SKIPPED
    }
}
