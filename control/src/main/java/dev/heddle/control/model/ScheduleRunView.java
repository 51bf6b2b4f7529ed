package dev.heddle.control.model;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.job.JobState;
import dev.heddle.schedule.ScheduleRun;
import org.jspecify.annotations.Nullable;

/**
 * A run of a schedule.
 *
 * @param time when it was due
 * @param firedAt when its job was submitted
 * @param kind why it was made
 * @param job the id of its job; null if it was left out
 * @param state the state of its job; null if there is none, or if it was deleted
 * @param duration how long the last attempt took; null if it has not ended
 */
public record ScheduleRunView(Instant time, Instant firedAt, ScheduleRun.Kind kind, @Nullable String job,
        @Nullable JobState state, @Nullable Duration duration) {}
