package dev.heddle.control.model;

import java.time.Instant;
import java.util.List;

/**
 * A schedule with its next times and its last runs.
 *
 * @param schedule the schedule, with the payload of its job
 * @param next its next times, without jitter
 * @param runs its last runs, the latest first
 */
public record ScheduleDetail(ScheduleView schedule, List<Instant> next, List<ScheduleRunView> runs) {}
