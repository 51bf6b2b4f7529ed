package dev.heddle.job;

import java.util.Optional;

/** Tells a handler that its attempt should stop: time-out, cancel, closing, lost lease. */
public interface Cancellation {

    boolean isCancelled();

    /** Why, once cancelled. */
    Optional<String> reason();

    /**
     * Whether it is no fault of the job's, and nobody wants it to end: the node closes, or has lost touch with the store.
     * The job goes back to the queue, or stays as it is where its work {@link JobContext#outliveNode outlives the node}.
     */
    boolean goesBack();

    /** Runs the action once the attempt is cancelled; at once if it already is. Must be quick. */
    void onCancel(Runnable action);

    /** Call it between two pieces of work. */
    default void throwIfCancelled() {
        if (isCancelled()) {
            throw new JobCancelledException(reason().orElse("cancelled"));
        }
    }
}
