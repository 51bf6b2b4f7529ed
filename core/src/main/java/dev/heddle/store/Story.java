package dev.heddle.store;

import java.util.List;

import dev.heddle.job.Attempt;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.Job;

/** A job with all that happened to it, oldest first. */
public record Story(Job job, List<Attempt> attempts, List<HistoryEntry> history, Saved saved) {}
