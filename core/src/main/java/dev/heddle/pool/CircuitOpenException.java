package dev.heddle.pool;

/** A direct call was refused because the type's breaker is open. */
public final class CircuitOpenException extends RuntimeException {

    CircuitOpenException(String type) {
        super("circuit breaker is open for job type '" + type + "'");
    }
}
