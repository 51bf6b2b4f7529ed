package dev.heddle.job;

/**
 * Thrown in a handler by {@link Cancellation#throwIfCancelled()} and by context calls made after the attempt
 * was told to stop. Let it through: the pool knows why it stopped the attempt and what becomes of the job.
 */
public final class JobCancelledException extends RuntimeException {

    public JobCancelledException(String reason) {
        super(reason);
    }
}
