package dev.heddle.store;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

import dev.heddle.job.DurationText;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import org.jspecify.annotations.Nullable;

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
     * Sets when a waiting job may start: one that is QUEUED, SCHEDULED (also for a retry), or PAUSED. A start at once
     * queues the job, even if it is PAUSED; any other start leaves a PAUSED job paused.
     *
     * @param id the job
     * @param start when the job may start, by the clock of the store
     * @param actor who gave the order
     * @param at when
     */
    record Reschedule(JobId id, Start start, String actor, Instant at) implements AdminCommand {

        /** Returns what the history of the job says about the command. */
        public String reason() {
            return switch (start) {
                case Start.AtOnce _ -> "told to run now";
                case Start.After(Duration delay) -> "rescheduled to run in " + DurationText.of(delay);
                case Start.At(Instant time) -> "rescheduled to run at " + time.truncatedTo(ChronoUnit.MILLIS);
            };
        }
    }

    /**
     * Changes the priority of a job that waits to run.
     *
     * @param id the job
     * @param priority larger values run first
     * @param actor who gave the order
     * @param at when
     */
    record Reprioritize(JobId id, int priority, String actor, Instant at) implements AdminCommand {}

    /**
     * Moves a job that waits to run to another queue, whatever the capacity of that queue.
     *
     * @param id the job
     * @param queue the queue
     * @param actor who gave the order
     * @param at when
     */
    record Move(JobId id, String queue, String actor, Instant at) implements AdminCommand {}

    /**
     * Queues a dead letter again, with all its retries.
     *
     * @param id the job
     * @param fromStep the step whose saved result is forgotten with those of all steps after it; null to keep all
     * @param forgetCheckpoint whether its checkpoint is forgotten
     * @param actor who gave the order
     * @param at when
     */
    record Retry(JobId id, @Nullable String fromStep, boolean forgetCheckpoint, String actor, Instant at)
            implements
                AdminCommand {

        /** What the history says about a plain retry. */
        public static final String BY_HAND = "retried by hand";

        /** Creates a command that keeps everything that the job has saved. */
        public Retry(JobId id, String actor, Instant at) {
            this(id, null, false, actor, at);
        }

        /** Returns what the history of the job says about the command. */
        public String reason() {
            return BY_HAND + (fromStep == null ? "" : " from step '" + fromStep + "'")
                    + (forgetCheckpoint ? " without its checkpoint" : "");
        }
    }

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
     * Queues the newest dead letters with a fingerprint again.
     *
     * @param fingerprint the {@link dev.heddle.stats.ErrorFingerprint#id}
     * @param before only jobs submitted before the one with this {@code seq}; 0 for all
     * @param limit how many at most
     * @param actor who gave the order
     * @param at when
     */
    record RetryErrors(String fingerprint, long before, int limit, String actor, Instant at) implements AdminCommand {}

    /**
     * Deletes the newest dead letters with a fingerprint.
     *
     * @param fingerprint the {@link dev.heddle.stats.ErrorFingerprint#id}
     * @param limit how many at most
     * @param actor who gave the order
     * @param at when
     */
    record PurgeErrors(String fingerprint, int limit, String actor, Instant at) implements AdminCommand {}

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
