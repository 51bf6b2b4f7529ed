package dev.heddle.job;

import dev.heddle.job.JobRequest.Start;
import org.jspecify.annotations.Nullable;

/** How an attempt ended. {@link Transitions} decides what that means for the job. */
public sealed interface Outcome {

    /**
     * The handler returned.
     *
     * @param result the result as JSON; null if there is none
     */
    record Completed(@Nullable String result) implements Outcome {}

    /**
     * The handler returned, and has the job run again.
     *
     * @param start when
     * @param data what the next run gets as its checkpoint, as JSON; null if nothing
     */
    record Rescheduled(Start start, @Nullable String data) implements Outcome {}

    /**
     * The first phase of a two-phase job is over.
     *
     * @param children how many children it spawned
     */
    record Ingested(int children) implements Outcome {}

    /**
     * The handler threw.
     *
     * @param failure why it failed
     */
    record Failed(Failure failure) implements Outcome {}

    /**
     * The attempt took too long, or was silent for too long.
     *
     * @param failure which of the two
     */
    record TimedOut(Failure failure) implements Outcome {}

    /**
     * The job was cancelled.
     *
     * @param reason why
     */
    record Cancelled(String reason) implements Outcome {}

    /**
     * The attempt gave up unfinished through no fault of the job: the node closes, its lease lapsed, or another
     * node has the job.
     *
     * @param reason which of these
     */
    record Released(String reason) implements Outcome {}

    /**
     * The handler ended the JVM of its node.
     *
     * @param maxCrashes the crash at which the job is dead-lettered
     * @param repeatable whether the job may run again: its type is idempotent, or there is a checkpoint
     */
    record Crashed(int maxCrashes, boolean repeatable) implements Outcome {}
}
