package dev.heddle.store;

import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;
import dev.heddle.job.JobState;

/**
 * A job with all that happened to it, oldest first.
 *
 * @param children how many it has in each state: counted now, never kept; empty where it has none
 */
public record Story(Job job, List<Attempt> attempts, List<HistoryEntry> history, Saved saved,
        Map<JobState, Long> children) {}
