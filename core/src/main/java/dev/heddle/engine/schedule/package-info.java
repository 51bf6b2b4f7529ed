/**
 * Fires schedules. {@link dev.heddle.engine.schedule.Scheduler} asks the store for those that are due; no node leads.
 * What a schedule does is decided without I/O: {@link dev.heddle.engine.schedule.DueTimes} finds out which times have
 * come or were missed, {@link dev.heddle.engine.schedule.FirePlanner} makes runs of them, and
 * {@link dev.heddle.engine.schedule.ScheduleEdits} decides what an edit does. A store keeps their data as a
 * {@link dev.heddle.engine.schedule.ScheduleDocument}.
 */
@NullMarked
package dev.heddle.engine.schedule;

import org.jspecify.annotations.NullMarked;
