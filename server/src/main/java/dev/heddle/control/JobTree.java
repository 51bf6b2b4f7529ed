package dev.heddle.control;

import java.util.List;
import java.util.Map;

import dev.heddle.job.JobState;

/**
 * A job with its family.
 *
 * @param counts how many children it has in each state, those that are left out among them; empty where it has none
 * @param children in the order of submission
 * @param more how many of its children are left out, because the tree would be too large or too deep
 */
public record JobTree(JobView job, Map<JobState, Long> counts, List<JobTree> children, long more) {}
