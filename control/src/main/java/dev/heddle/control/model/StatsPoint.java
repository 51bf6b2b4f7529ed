package dev.heddle.control.model;

import java.time.Instant;

/**
 * What happened to jobs in a slice of time.
 *
 * @param start when the slice began
 * @param completed how many jobs completed
 * @param failed how many attempts failed
 * @param dead how many of them left a dead letter
 * @param waitTime from submitting jobs to their first start
 * @param runTime how long attempts ran
 */
public record StatsPoint(Instant start, long completed, long failed, long dead, Percentiles waitTime,
        Percentiles runTime) {}
