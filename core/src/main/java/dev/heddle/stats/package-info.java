/**
 * Statistics that cost the same however many jobs there are. Stores keep counts of jobs
 * ({@link dev.heddle.stats.CountStore}) in the transactions that change them. Nodes measure what happens to jobs and write
 * it every second: how often and how long ({@link dev.heddle.stats.StatsStore}), and why they failed
 * ({@link dev.heddle.stats.ErrorStore}).
 */
@NullMarked
package dev.heddle.stats;

import org.jspecify.annotations.NullMarked;
