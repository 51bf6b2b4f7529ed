package dev.heddle.control.model;

import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A page of schedules, by name.
 *
 * @param schedules the schedules
 * @param next the cursor of the next page; null if this is the last
 */
public record SchedulePage(List<ScheduleView> schedules, @Nullable String next) {}
