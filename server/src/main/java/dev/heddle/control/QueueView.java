package dev.heddle.control;

import java.util.Map;

import dev.heddle.job.JobState;

/**
 * A queue.
 *
 * @param paused whether nothing of it starts
 * @param jobs how many of its jobs have not ended, by state; a state with none is left out
 */
public record QueueView(String name, boolean paused, Map<JobState, Long> jobs) {}
