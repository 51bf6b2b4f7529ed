package dev.heddle.control.model;

import java.time.Instant;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * A bulk operation, or the dry run of one.
 *
 * @param id the id of its job; null for a dry run
 * @param action what it does
 * @param q the query for its jobs
 * @param state the state of its job; null for a dry run
 * @param actor who started it
 * @param total how many jobs matched when it was started
 * @param estimated whether {@code total} was estimated, because counting took too long
 * @param done how many jobs it has changed
 * @param failed how many jobs it could not change, because their state did not allow it
 * @param skipped how many jobs needed no change, or may not be changed by the actor
 * @param createdAt when it was started
 * @param endedAt when it ended; null if it has not
 * @param failure why it failed; null if it has not
 */
public record BulkView(@Nullable String id, BulkAction action, String q, @Nullable JobState state, String actor,
        long total, boolean estimated, long done, long failed, long skipped, Instant createdAt,
        @Nullable Instant endedAt, @Nullable String failure) {}
