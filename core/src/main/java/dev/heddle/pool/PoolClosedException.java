package dev.heddle.pool;

import dev.heddle.job.HeddleException;

/** Thrown if the pool was closed before the call; the call did nothing. */
public final class PoolClosedException extends HeddleException {

    /**
     * Creates the exception.
     *
     * @param consequence what did not happen, as the rest of a sentence
     */
    public PoolClosedException(String consequence) {
        super("the pool is closed, so " + consequence + "; open a new pool on the store");
    }
}
