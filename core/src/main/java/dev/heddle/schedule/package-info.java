/**
 * Schedules: named objects in the store that submit a job again and again, by a rule. An application defines one as a
 * {@link dev.heddle.schedule.Schedule} and puts it with {@code pool.schedules()}.
 *
 * <p>{@link dev.heddle.schedule.ScheduleRule} says when, without a store and without a clock. A store that keeps
 * schedules implements {@link dev.heddle.schedule.ScheduleStore}. What happens if a schedule fires is decided in
 * {@code dev.heddle.engine.schedule}.
 */
@NullMarked
package dev.heddle.schedule;

import org.jspecify.annotations.NullMarked;
