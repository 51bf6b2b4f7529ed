package dev.heddle.store;

import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;

/**
 * A job with its past, oldest first.
 *
 * @param job the job
 * @param attempts the attempts that ended
 * @param history the changes of its state, except for the usual ones that the attempts show
 * @param saved its checkpoint and steps
 * @param children how many children it has in each state; empty if it has none
 */
public record JobDetails(Job job, List<Attempt> attempts, List<HistoryEntry> history, SavedState saved,
        Map<JobState, Long> children) {}
