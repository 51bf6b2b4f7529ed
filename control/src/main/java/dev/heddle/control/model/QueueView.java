package dev.heddle.control.model;

import java.util.Map;

import dev.heddle.job.JobState;

/**
 * A queue.
 *
 * @param name the name
 * @param paused whether its jobs do not start
 * @param jobs the number of its jobs that have not ended, by state; states without jobs are left out
 */
public record QueueView(String name, boolean paused, Map<JobState, Long> jobs) {}
