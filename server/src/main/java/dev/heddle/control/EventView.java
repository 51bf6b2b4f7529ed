package dev.heddle.control;

import java.time.Instant;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.job.Progress;
import org.jspecify.annotations.Nullable;

/**
 * Something that happened on a node. What does not belong to its kind is null.
 *
 * @param kind {@code submitted}, {@code started}, {@code progress} or {@code ended} (an attempt; the state says what
 *     became of the job), or what somebody asked for: {@code cancel}, {@code pause}, {@code resume}, {@code retry},
 *     {@code delete}, {@code retry-dead}, {@code purge-dead}, {@code pause-queue}, {@code resume-queue}; of a
 *     worker that is a process: {@code worker} (it changed its state), {@code health-check}, {@code worker-replaced}
 * @param job the id; of the first where there are more
 * @param count how many jobs or queues
 * @param end how the attempt ended
 * @param tookMillis its execution time; of a worker, the time in the state it left, or until it answered
 * @param error why it failed, in one line
 * @param reason what somebody gave as the reason; of a worker, what happened
 * @param actor who asked
 */
public record EventView(String kind, Instant at, String node, @Nullable String job, @Nullable String type,
        @Nullable String queue, @Nullable JobState state, @Nullable Integer attempt, @Nullable String worker,
        @Nullable Integer count, Attempt.@Nullable End end, @Nullable Long tookMillis,
        @Nullable Progress progress,
        @Nullable String error, @Nullable String reason, @Nullable String actor) {}
