package dev.heddle.pool;

import java.util.concurrent.Callable;

/**
 * The circuit breaker of one job type on this node. While it is open, jobs of the type stay queued and use up no
 * attempt. After the reset time one job may try, and its outcome closes the breaker or opens it again. Safe for use by
 * many threads.
 */
public interface Breaker {

    /** The states of a circuit breaker. */
    enum State {
        /** Jobs run. */
        CLOSED,
        /** Jobs stay queued. */
        OPEN,
        /** One job may try; its outcome closes or opens the breaker. */
        HALF_OPEN
    }

    /** Returns the current state. */
    State state();

    /**
     * Runs an action through the breaker, outside of any job.
     *
     * @param <T> the result of the action
     * @throws CircuitOpenException if the breaker is open
     * @throws Exception what the action throws; it counts as a failure
     */
    <T> T call(Callable<T> action) throws Exception;

    /** Closes the breaker and forgets the failures counted so far. */
    void reset();
}
