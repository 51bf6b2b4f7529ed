package dev.heddle.store;

import dev.heddle.job.Attempt;
import org.jspecify.annotations.Nullable;

/** The result of a {@link Change}. */
public enum Verdict {
    /** The change was written. */
    APPLIED,
    /** The change had been written before; only the answer was lost. */
    REPEATED,
    /** The job was cancelled in the meantime; the attempt is recorded, and its result is ignored. */
    CANCELLED,
    /** The attempt no longer holds the job; nothing was written. */
    LOST;

    /**
     * Returns the verdict on a change whose fence does not hold. It is a repetition if the attempt was recorded with
     * the same end.
     *
     * @param recorded how the attempt of this fence ended; null if no end is recorded
     */
    public static Verdict forStaleFence(Change change, Attempt.@Nullable End recorded) {
        return switch (change) {
            case Change.Ended ended -> compared(ended, recorded);
            case Change.Ingested ingested -> compared(ingested.end(), recorded);
            case Change.Started _, Change.Cleared _, Change.Progressed _, Change.Checkpointed _, Change.StepDone _, Change.Released _ ->
                LOST;
        };
    }

    private static Verdict compared(Change.Ended ended, Attempt.@Nullable End recorded) {
        if (recorded == ended.execution().end()) {
            return REPEATED;
        }
        return recorded == Attempt.End.CANCELLED ? CANCELLED : LOST;
    }
}
