package dev.heddle.job;

/**
 * Thrown in a handler by {@link Cancellation#throwIfCancelled()}, and by methods of {@link JobContext} once the attempt
 * was told to stop. Do not catch it: the pool knows why it stopped the attempt, and what happens to the job.
 *
 * <p>A handler that was not told to stop may throw one to cancel its job.
 */
public final class JobCancelledException extends HeddleException {

    /** Creates an exception that says why the attempt was told to stop. */
    public JobCancelledException(String reason) {
        super(reason);
    }
}
