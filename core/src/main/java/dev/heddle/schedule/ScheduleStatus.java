package dev.heddle.schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;

import dev.heddle.job.JobSpec;
import org.jspecify.annotations.Nullable;

/**
 * A schedule and how it stands.
 *
 * @param name its name
 * @param state whether it fires
 * @param definition what is in effect
 * @param origin who defined it
 * @param nextAt when it fires next, with jitter; null if it does not
 * @param nextTime the time that this run is for, before jitter; null if it does not fire
 * @param waiting the time of a run that waits for an earlier one to end; null if none does
 * @param counts what it has done so far
 */
public record ScheduleStatus(String name, ScheduleState state, Definition definition, Origin origin,
        @Nullable Instant nextAt, @Nullable Instant nextTime, @Nullable Instant waiting, Counts counts) {

    /**
     * What a schedule does.
     *
     * @param rule when it fires
     * @param zone where the times of the rule are meant
     * @param missed what it does about runs that nobody started in time
     * @param overlap what it does if an earlier run has not ended
     * @param jitter by how much a run may start later
     * @param until the last time at which it may fire; null if there is none
     * @param runs how many runs it makes; null for no limit
     * @param job the job of each run; its id and time mean nothing
     */
    public record Definition(ScheduleRule rule, ZoneId zone, Missed missed, Overlap overlap, Duration jitter,
            @Nullable Instant until, @Nullable Integer runs, JobSpec job) {

        /** Returns the first time after the given one at which it fires, without jitter; empty if there is none. */
        public Optional<Instant> nextAfter(Instant time) {
            return rule.nextAfter(time, zone).filter(next -> until == null || !next.isAfter(until));
        }
    }

    /**
     * Who defined a schedule.
     *
     * @param code whether code has put it
     * @param putAt when code last put it, even if unchanged; null if it never did
     * @param editedBy the person whose edit is in effect; null if none is
     * @param editedAt when that was; null if no edit is in effect
     */
    public record Origin(boolean code, @Nullable Instant putAt, @Nullable String editedBy,
            @Nullable Instant editedAt) {}

    /**
     * What a schedule has done so far.
     *
     * @param fired the runs it made by itself
     * @param missed the runs that nobody started in time and that were left out; of a long outage, 1,000 at most
     * @param skipped the runs it left out because an earlier one went on
     */
    public record Counts(long fired, long missed, long skipped) {

        Counts plus(long moreFired, long moreMissed, long moreSkipped) {
            return new Counts(fired + moreFired, missed + moreMissed, skipped + moreSkipped);
        }

        /** Counts runs that were made. */
        public Counts fired(long more) {
            return plus(more, 0, 0);
        }

        /** Counts runs that were missed. */
        public Counts missed(long more) {
            return plus(0, more, 0);
        }

        /** Counts runs that were skipped. */
        public Counts skipped(long more) {
            return plus(0, 0, more);
        }
    }
}
