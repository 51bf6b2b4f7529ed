package dev.heddle.job;

import java.util.Optional;

/**
 * Tells a handler that its attempt should stop: it timed out, its job was cancelled, or its node closes or lost its
 * lease. Safe for use by many threads.
 */
public interface Cancellation {

    /** Returns whether the attempt should stop. */
    boolean isCancelled();

    /** Returns why the attempt should stop; empty if it should not. */
    Optional<String> reason();

    /**
     * Returns whether the job continues after this attempt: the node closes or has lost touch with the store, but
     * nobody wants the job to end. It goes back to the queue, or stays as it is if its work is
     * {@link JobContext#detachFromNode detached}.
     */
    boolean jobContinues();

    /**
     * Runs an action when the attempt is told to stop; at once, on the caller's thread, if it has been told already.
     * Otherwise it runs on a thread of the pool, so it must be quick. Exceptions are logged.
     */
    void onCancel(Runnable action);

    /**
     * Throws if the attempt should stop. Call it between two pieces of work.
     *
     * @throws JobCancelledException if the attempt should stop
     */
    default void throwIfCancelled() {
        if (isCancelled()) {
            throw new JobCancelledException(reason().orElse("cancelled"));
        }
    }
}
