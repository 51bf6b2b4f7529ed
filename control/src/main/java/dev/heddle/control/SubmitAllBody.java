package dev.heddle.control;

import java.util.List;

/**
 * The body of a request to submit many jobs in one commit.
 *
 * @param jobs the jobs, in the order of submission
 */
public record SubmitAllBody(List<JobDraft> jobs) {}
