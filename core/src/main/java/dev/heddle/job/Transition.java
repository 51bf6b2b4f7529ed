package dev.heddle.job;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

/** What becomes of a job after an attempt. A store writes it; it decides nothing. */
public sealed interface Transition {

    /** To COMPLETED; checkpoint and steps go. */
    record Complete(@Nullable String result) implements Transition {}

    /** To WAITING, in the phase AGGREGATE, with checkpoint and steps: on to QUEUED once no child is at work. */
    record Wait(String reason) implements Transition {}

    /** To SCHEDULED; one failure more where an attempt says so, none where its node died. */
    record Retry(Instant at, String reason) implements Transition {}

    /** To FAILED, one failure more: a dead letter, kept with checkpoint and steps. */
    record Die(String reason) implements Transition {}

    /** To CANCELLED. */
    record Cancel(String reason) implements Transition {}

    /** Back to QUEUED with checkpoint and steps; nothing is counted. */
    record Requeue(String reason) implements Transition {}

    default JobState target() {
        return switch (this) {
            case Complete _ -> JobState.COMPLETED;
            case Wait _ -> JobState.WAITING;
            case Retry _ -> JobState.SCHEDULED;
            case Die _ -> JobState.FAILED;
            case Cancel _ -> JobState.CANCELLED;
            case Requeue _ -> JobState.QUEUED;
        };
    }
}
