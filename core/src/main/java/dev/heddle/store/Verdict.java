package dev.heddle.store;

import dev.heddle.job.Attempt;
import org.jspecify.annotations.Nullable;

/** What became of a {@link Change}. */
public enum Verdict {
    APPLIED,
    /** It had been written before; its answer was lost. */
    REPEATED,
    /** The job was cancelled meanwhile; the attempt is recorded, its result dropped. */
    CANCELLED,
    /** The attempt no longer owns the job; nothing was written. */
    LOST;

    /**
     * For a change whose fence does not hold: the way its attempt was recorded says whether only an answer was lost.
     *
     * @param recorded how the attempt of this fence ended; null where it is not recorded
     */
    public static Verdict late(Change change, Attempt.@Nullable End recorded) {
        return switch (change) {
            case Change.Ended ended -> compared(ended, recorded);
            case Change.Ingested ingested -> compared(ingested.end(), recorded);
            case Change.Started _,Change.Progressed _,Change.Checkpointed _,Change.StepDone _,Change.HandedBack _ ->
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
