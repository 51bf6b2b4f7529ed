package dev.heddle.control.model;

import java.time.Instant;
import java.util.Map;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one type in one queue, and what happened to them in the last hour, on all nodes.
 *
 * @param type the type
 * @param queue the queue
 * @param jobs the number of jobs by state, ended ones included; states without jobs are left out
 * @param nextSince when the job was submitted that runs next; null if none is queued
 * @param completed how many jobs completed in the last hour
 * @param failed how many attempts failed in the last hour
 * @param dead how many of them left a dead letter
 * @param completedPerMinute how many jobs completed per minute in the last one or two minutes
 * @param failedPerMinute how many attempts failed per minute in the last one or two minutes
 * @param waitTime from submitting jobs to their first start
 * @param runTime how long attempts ran
 */
public record StatsLine(String type, String queue, Map<JobState, Long> jobs, @Nullable Instant nextSince,
        long completed, long failed, long dead, double completedPerMinute, double failedPerMinute, Percentiles waitTime,
        Percentiles runTime) {}
