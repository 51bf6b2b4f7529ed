package dev.heddle.control.model;

import java.util.List;

import dev.heddle.job.JobState;

/**
 * Why a job does not run.
 *
 * @param job the id of the job
 * @param type the name of its type
 * @param queue the name of its queue
 * @param state its state
 * @param reasons all that keeps it from running, the most important first; never empty
 */
public record JobWhy(String job, String type, String queue, JobState state, List<WaitReasonView> reasons) {}
