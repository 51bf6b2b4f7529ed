package dev.heddle.pool;

import dev.heddle.job.HeddleException;

/** Thrown by {@link Breaker#call} if the breaker is open; the action did not run. */
public final class CircuitOpenException extends HeddleException {

    /** Creates the exception for a job type. */
    public CircuitOpenException(String type) {
        super("the circuit breaker of job type '" + type + "' is open; try again later, or reset it");
    }
}
