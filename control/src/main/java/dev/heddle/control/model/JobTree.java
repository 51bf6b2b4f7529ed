package dev.heddle.control.model;

import java.util.List;
import java.util.Map;

import dev.heddle.job.JobState;

/**
 * A job with its descendants.
 *
 * @param job the job in short
 * @param counts the number of its children in each state, including those left out; empty if it has none
 * @param children in the order of submission
 * @param more the number of its children that were left out because the tree would be too large or too deep
 */
public record JobTree(JobView job, Map<JobState, Long> counts, List<JobTree> children, long more) {}
