package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.job.JobRequest.Start;
import org.jspecify.annotations.Nullable;

/** What happens to a job after an attempt. {@link Transitions} decides it, a store writes it. */
public sealed interface Transition {

    /**
     * The job becomes COMPLETED; its checkpoint and steps are deleted.
     *
     * @param result the result as JSON; null if there is none
     */
    record Complete(@Nullable String result) implements Transition {}

    /**
     * The job becomes WAITING, in the phase AGGREGATE, and keeps its checkpoint and steps. It becomes QUEUED once all
     * its children have ended.
     *
     * @param reason what it waits for
     */
    record Wait(String reason) implements Transition {}

    /**
     * The job becomes SCHEDULED. Its failures grow by one if an attempt failed, and do not grow if its node died.
     *
     * @param delay how long it waits, by the clock of the store
     * @param reason why it runs again
     */
    record Retry(Duration delay, String reason) implements Transition {}

    /**
     * The job becomes SCHEDULED for another run, because its handler asked for that. It starts afresh: nothing has
     * failed or crashed, and no step is done. A store may delete the records of all but the last {@link Reschedule#KEPT_ATTEMPTS}
     * attempts, because such a job may run for years.
     *
     * @param start when the job runs again, by the clock of the store
     * @param checkpoint the checkpoint of the job from now on, as JSON; null if it has none
     */
    record Reschedule(Start start, @Nullable String checkpoint) implements Transition {

        /** How many attempts of a job that reschedules itself are kept. */
        public static final int KEPT_ATTEMPTS = 50;

        /** Returns when the job runs again. */
        public Instant dueAt(Instant now) {
            return start.dueAt(now).orElse(now);
        }
    }

    /**
     * The job becomes FAILED: a dead letter, kept with its checkpoint and steps. Its failures grow by one, unless it
     * crashed its node.
     *
     * @param reason why it failed for good
     */
    record Fail(String reason) implements Transition {}

    /**
     * The job becomes CANCELLED.
     *
     * @param reason why
     */
    record Cancel(String reason) implements Transition {}

    /**
     * The job becomes QUEUED again, with its checkpoint and steps. The attempt does not count, unless it crashed its
     * node.
     *
     * @param reason why
     */
    record Requeue(String reason) implements Transition {}

    /** Returns the state that the job is in afterwards. */
    default JobState target() {
        return switch (this) {
            case Complete _ -> JobState.COMPLETED;
            case Wait _ -> JobState.WAITING;
            case Retry _, Reschedule _ -> JobState.SCHEDULED;
            case Fail _ -> JobState.FAILED;
            case Cancel _ -> JobState.CANCELLED;
            case Requeue _ -> JobState.QUEUED;
        };
    }
}
