package dev.heddle.control.http;

import java.util.List;

import dev.heddle.control.model.JobDraft;

/**
 * The body of a request to submit many jobs in one commit.
 *
 * @param jobs the jobs, in the order of submission
 */
public record SubmitAllBody(List<JobDraft> jobs) {}
