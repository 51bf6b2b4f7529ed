package dev.heddle.engine.execute;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.Outcome;
import org.jspecify.annotations.Nullable;

/** What the record of an attempt says of its outcome. */
final class OutcomeRecord {

    private OutcomeRecord() {}

    /** Returns how the attempt ended. */
    static Attempt.End end(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Completed _ -> Attempt.End.COMPLETED;
            case Outcome.Rescheduled _ -> Attempt.End.RESCHEDULED;
            case Outcome.Ingested _ -> Attempt.End.INGESTED;
            case Outcome.Failed _ -> Attempt.End.FAILED;
            case Outcome.TimedOut _ -> Attempt.End.TIMED_OUT;
            case Outcome.Cancelled _ -> Attempt.End.CANCELLED;
            case Outcome.Released _ -> Attempt.End.RELEASED;
            case Outcome.Crashed _ -> Attempt.End.CRASHED;
        };
    }

    /** Returns why it failed; null if it did not. */
    static @Nullable Failure failure(Outcome outcome) {
        return switch (outcome) {
            case Outcome.Failed(Failure failure) -> failure;
            case Outcome.TimedOut(Failure failure) -> failure;
            case Outcome.Completed _, Outcome.Rescheduled _, Outcome.Ingested _, Outcome.Cancelled _, Outcome.Released _, Outcome.Crashed _ ->
                null;
        };
    }
}
