package dev.heddle.store;

import java.time.Instant;

import dev.heddle.job.JobId;

/** An order from a person or a script, which {@link Store#execute} carries out in one transaction. */
public sealed interface AdminCommand {

    /** Returns who gave the order, for the history of the job. */
    String actor();

    /** Returns when the order was given. */
    Instant at();

    /**
     * Cancels a job that has not ended, with its children. If an attempt runs, its node has to stop it.
     *
     * @param id the job
     * @param reason why, for the history
     * @param actor who gave the order
     * @param at when
     */
    record Cancel(JobId id, String reason, String actor, Instant at) implements AdminCommand {}

    /**
     * Holds back a job that waits to run.
     *
     * @param id the job
     * @param reason why, for the history
     * @param actor who gave the order
     * @param at when
     */
    record Pause(JobId id, String reason, String actor, Instant at) implements AdminCommand {}

    /**
     * Lets a paused job run again.
     *
     * @param id the job
     * @param actor who gave the order
     * @param at when
     */
    record Resume(JobId id, String actor, Instant at) implements AdminCommand {}

    /**
     * Queues a dead letter again, with all its retries.
     *
     * @param id the job
     * @param actor who gave the order
     * @param at when
     */
    record Retry(JobId id, String actor, Instant at) implements AdminCommand {}

    /**
     * Deletes a job and everything stored for it, unless a node holds it.
     *
     * @param id the job
     * @param actor who gave the order
     * @param at when
     */
    record Delete(JobId id, String actor, Instant at) implements AdminCommand {}

    /**
     * Queues up to {@code query.limit()} matching dead letters again.
     *
     * @param query which ones; its states are ignored
     * @param actor who gave the order
     * @param at when
     */
    record RetryMatching(JobQuery query, String actor, Instant at) implements AdminCommand {}

    /**
     * Deletes up to {@code query.limit()} matching dead letters.
     *
     * @param query which ones; its states are ignored
     * @param actor who gave the order
     * @param at when
     */
    record PurgeMatching(JobQuery query, String actor, Instant at) implements AdminCommand {}

    /**
     * Pauses a queue: none of its jobs can be claimed.
     *
     * @param queue the queue
     * @param actor who gave the order
     * @param at when
     */
    record PauseQueue(String queue, String actor, Instant at) implements AdminCommand {}

    /**
     * Resumes a paused queue.
     *
     * @param queue the queue
     * @param actor who gave the order
     * @param at when
     */
    record ResumeQueue(String queue, String actor, Instant at) implements AdminCommand {}
}
