/**
 * Schedules: a report for each day, made at night. If no node was running for some nights, the reports are made when one
 * is back, each for its own day. Start at {@link dev.heddle.examples.reports.NightlyReport}.
 */
@NullMarked
package dev.heddle.examples.reports;

import org.jspecify.annotations.NullMarked;
