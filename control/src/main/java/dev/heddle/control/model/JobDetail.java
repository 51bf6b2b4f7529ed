package dev.heddle.control.model;

import java.util.List;
import java.util.Map;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.HistoryEntry;
import dev.heddle.job.JobState;
import dev.heddle.run.Run;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job with everything that is stored about it.
 *
 * @param job the job in short
 * @param payload what it was submitted with
 * @param result what its handler returned; null if it has not completed or returned nothing
 * @param failure the failure of the last failed attempt, with the stack trace
 * @param checkpoint where its next attempt continues
 * @param steps the results of completed steps, by name
 * @param attempts the attempts that have ended, oldest first
 * @param runs the process runs of its attempts, oldest first
 * @param history changes of state other than the ordinary ones, oldest first
 * @param children the number of its children in each state
 */
public record JobDetail(JobView job, JsonNode payload, @Nullable JsonNode result, @Nullable Failure failure,
        @Nullable JsonNode checkpoint, Map<String, JsonNode> steps, List<Attempt> attempts, List<Run> runs,
        List<HistoryEntry> history, Map<JobState, Long> children) {}
