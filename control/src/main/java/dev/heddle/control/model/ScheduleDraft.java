package dev.heddle.control.model;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * A schedule to create or change. Components that are null have the defaults of {@link dev.heddle.schedule.Schedule}.
 *
 * @param name its name
 * @param rule a cron expression, or an interval such as {@code every 15m}
 * @param zone the time zone of a cron expression, such as {@code Europe/Berlin}; null for UTC
 * @param missed {@code skip}, {@code coalesce} or {@code catchUp(n)}
 * @param overlap {@code allow}, {@code skip}, {@code queueOne} or {@code cancelPrevious}
 * @param jitter by how much a run may start later
 * @param until the last time at which it may fire; null for none
 * @param runs how many runs it makes; null for no limit
 * @param job the job to submit each time, without an id, a delay, a start time, a parent or a dedupe key
 * @param replace whether a schedule with this name may exist; null for false
 */
public record ScheduleDraft(String name, String rule, @Nullable String zone, @Nullable String missed,
        @Nullable String overlap, @Nullable Duration jitter, @Nullable Instant until, @Nullable Integer runs,
        JobDraft job, @Nullable Boolean replace) {}
