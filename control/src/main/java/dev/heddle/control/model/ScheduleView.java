package dev.heddle.control.model;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.schedule.ScheduleState;
import org.jspecify.annotations.Nullable;

/**
 * A schedule.
 *
 * @param name its name
 * @param state whether it fires
 * @param rule a cron expression, or an interval
 * @param inWords the rule in words
 * @param zone the time zone of the rule
 * @param missed what it does about runs that nobody started in time
 * @param overlap what it does if an earlier run has not ended
 * @param jitter by how much a run may start later; null for nothing
 * @param until the last time at which it may fire; null for none
 * @param runs how many runs it makes; null for no limit
 * @param job the job of each run, without its payload in lists
 * @param nextAt when it fires next, with jitter; null if it does not
 * @param waiting the time of a run that waits for an earlier one to end; null if none does
 * @param fired the runs it made by itself
 * @param missedRuns the runs that nobody started in time and that were left out
 * @param skippedRuns the runs it left out because an earlier one went on
 * @param code whether code or a configuration file has defined it
 * @param gone whether it is gone from there: every live node started after it was last put
 * @param editedBy the person whose edit is in effect; null if none is
 * @param editedAt when that was
 */
public record ScheduleView(String name, ScheduleState state, String rule, String inWords, String zone, String missed,
        String overlap, @Nullable Duration jitter, @Nullable Instant until, @Nullable Integer runs, JobDraft job,
        @Nullable Instant nextAt, @Nullable Instant waiting, long fired, long missedRuns, long skippedRuns,
        boolean code, boolean gone, @Nullable String editedBy, @Nullable Instant editedAt) {}
