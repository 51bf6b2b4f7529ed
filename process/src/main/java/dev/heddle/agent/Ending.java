package dev.heddle.agent;

import java.time.Duration;

import dev.heddle.job.FailureCategory;
import org.jspecify.annotations.Nullable;

/** How a run ended, in the end. */
public sealed interface Ending {

    /** With an answer. */
    record Succeeded(String text) implements Ending {}

    /**
     * Without one.
     *
     * @param message one line for people
     * @param retryAfter how long the vendor wants to be left alone; null where it does not say
     */
    record Failed(Reason reason, String message, @Nullable Duration retryAfter) implements Ending {}

    /** Why there is no answer. */
    enum Reason {
        /** The agent said so. */
        REPORTED(FailureCategory.TRANSIENT, false),
        /** The agent said so, and will say so again: a limit of turns or money, a wrong key. */
        REFUSED(FailureCategory.PERMANENT, false),
        /** It ended as if all were well, and never said that it was done. */
        NO_RESULT(FailureCategory.TRANSIENT, true),
        /** It ended with an exit code, and never said why. */
        EXIT(FailureCategory.TRANSIENT, true),
        /** It fell silent. */
        STALLED(FailureCategory.TRANSIENT, true),
        /** Somebody ended it: its time was over, it was cancelled, its node closed. */
        STOPPED(FailureCategory.TRANSIENT, true);

        private final FailureCategory category;
        private final boolean resumes;

        Reason(FailureCategory category, boolean resumes) {
            this.category = category;
            this.resumes = resumes;
        }

        public FailureCategory category() {
            return category;
        }

        /** Whether the next attempt goes on with the session; where the agent itself gave up, it had better begin anew. */
        boolean resumes() {
            return resumes;
        }
    }
}
