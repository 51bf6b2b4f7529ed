package dev.heddle.event;

import java.time.Instant;

import dev.heddle.job.Attempt;
import dev.heddle.job.JobState;
import dev.heddle.job.Progress;
import org.jspecify.annotations.Nullable;

/**
 * An event on a node. Components that do not apply to the kind are null.
 *
 * @param kind of a job: {@code submitted}, {@code started}, {@code progress} or {@code ended} (an attempt; the state
 *     says what became of the job); of a command: {@code cancel}, {@code pause}, {@code resume}, {@code run-now},
 *     {@code reschedule}, {@code retry}, {@code delete}, {@code retry-dead}, {@code purge-dead}, {@code pause-queue}, {@code resume-queue}; of a worker: {@code
 *     worker} (a change of state), {@code health-check}, {@code session} (a job was routed by its session), {@code
 *     worker-replaced}
 * @param at when it happened
 * @param node the id of the node
 * @param job the id of the job; of the first job if there are several
 * @param type the job type
 * @param queue the queue
 * @param state the state of the job after an attempt ended
 * @param attempt the number of the attempt
 * @param worker the id of the worker
 * @param count the number of jobs or queues
 * @param end how the attempt ended
 * @param tookMillis the execution time of the attempt; of a worker, the time in its previous state or until it answered
 * @param progress the progress that the job reported
 * @param error why the attempt failed, in one line
 * @param reason the reason given with the command; of a worker, what happened
 * @param actor who gave the command
 */
public record NodeEvent(String kind, Instant at, String node, @Nullable String job, @Nullable String type,
        @Nullable String queue, @Nullable JobState state, @Nullable Integer attempt, @Nullable String worker,
        @Nullable Integer count, Attempt.@Nullable End end, @Nullable Long tookMillis, @Nullable Progress progress,
        @Nullable String error, @Nullable String reason, @Nullable String actor) {}
