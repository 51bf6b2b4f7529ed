package dev.heddle.control;

import java.util.List;

/** Jobs to submit together, in one commit. */
public record Batch(List<JobDraft> jobs) {}
