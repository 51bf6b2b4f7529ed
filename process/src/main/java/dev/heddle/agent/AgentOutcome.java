package dev.heddle.agent;

import java.time.Duration;

import dev.heddle.job.FailureCategory;
import org.jspecify.annotations.Nullable;

/** How a run of an agent ended. */
public sealed interface AgentOutcome {

    /** The agent answered. */
    record Succeeded(String text) implements AgentOutcome {}

    /**
     * The agent did not answer.
     *
     * @param reason what kind of failure it was
     * @param message one line for people
     * @param retryAfter how long the vendor's rate limit lasts; null if unknown
     */
    record Failed(Reason reason, String message, @Nullable Duration retryAfter) implements AgentOutcome {}

    /** Why a run failed. The names are stored in {@code report.json}. */
    enum Reason {
        /** The agent reported a failure. */
        REPORTED(FailureCategory.TRANSIENT, false),
        /** The agent reported a failure that a retry would repeat: a limit on turns or money, an invalid key. */
        REFUSED(FailureCategory.PERMANENT, false),
        /** The agent exited with 0 but never reported a result. */
        NO_RESULT(FailureCategory.TRANSIENT, true),
        /** The agent exited with an error code and never reported a result. */
        EXIT(FailureCategory.TRANSIENT, true),
        /** The agent fell silent and was stopped. */
        STALLED(FailureCategory.TRANSIENT, true),
        /** The run took too long and ended without its node. */
        TIMED_OUT(FailureCategory.TRANSIENT, true),
        /** The run was stopped by its node: it timed out, its job was cancelled, or its node closed. */
        STOPPED(FailureCategory.TRANSIENT, true);

        private final FailureCategory category;
        private final boolean resumable;

        Reason(FailureCategory category, boolean resumable) {
            this.category = category;
            this.resumable = resumable;
        }

        /** Returns whether a retry can help. */
        public FailureCategory category() {
            return category;
        }

        /**
         * Tells whether the next attempt resumes the session. If the agent itself gave up, a new session has better
         * odds.
         */
        boolean isResumable() {
            return resumable;
        }
    }
}
