package dev.heddle.control.model;

import java.time.Instant;

import dev.heddle.job.Failure;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A job that failed permanently, with what you need to decide what to do about it.
 *
 * @param job the job in short
 * @param reason why it is a dead letter
 * @param attempts the number of its last attempt
 * @param firstFailure when its first attempt ended
 * @param lastFailure when its last attempt ended
 * @param payload what it was submitted with; null in lists
 * @param failure the failure of the last failed attempt, with the stack trace
 * @param checkpoint where a retry continues; null in lists
 */
public record DeadLetterView(JobView job, String reason, int attempts, Instant firstFailure, Instant lastFailure,
        @Nullable JsonNode payload, @Nullable Failure failure, @Nullable JsonNode checkpoint) {}
