package dev.heddle.pool;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.Outcome;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit breaker of one job type. While it is open, jobs of the type stay queued and burn no attempt; after
 * the reset time one of them may try, and its end decides.
 */
public final class Breaker {

    private static final Logger LOG = LoggerFactory.getLogger(Breaker.class);

    private final String type;
    private final CircuitBreaker circuit;
    private final Duration resetAfter;
    private final InstantSource clock;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile Instant openedAt = Instant.MIN;

    /** As people know them. */
    public enum State {
        CLOSED, OPEN, HALF_OPEN
    }

    Breaker(String type, BreakerPolicy policy, InstantSource clock, Runnable onChange) {
        this.type = type;
        this.clock = clock;
        this.resetAfter = policy.resetAfter();
        // A window as long as the threshold that opens when all of it failed is "n failures in a row",
        // and one success in it starts the count again.
        // resilience4j lets a call pass after the wait, not at its end; our jobs come back exactly then.
        Duration wait = policy.resetAfter().minusMillis(policy.resetAfter().toMillis() > 1 ? 1 : 0);
        CircuitBreakerConfig config = CircuitBreakerConfig.custom()
                .slidingWindowType(SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(policy.failures()).minimumNumberOfCalls(policy.failures())
                .failureRateThreshold(100).permittedNumberOfCallsInHalfOpenState(1)
                .waitDurationInOpenState(wait).clock(clock.withZone(ZoneOffset.UTC)).build();
        this.circuit = CircuitBreaker.of(type, config);
        circuit.getEventPublisher().onStateTransition(event -> {
            if (event.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
                openedAt = clock.instant();
            }
            LOG.atWarn().addKeyValue("type", type).addKeyValue("change", event.getStateTransition())
                    .log("Circuit breaker of {}: {}", type, event.getStateTransition());
            onChange.run();
        });
    }

    public State state() {
        return switch (circuit.getState()) {
            case OPEN, FORCED_OPEN -> State.OPEN;
            case HALF_OPEN -> State.HALF_OPEN;
            case CLOSED, DISABLED, METRICS_ONLY -> State.CLOSED;
        };
    }

    /** Runs the call through the breaker, outside of any job. */
    public <T> T call(Callable<T> action) throws Exception {
        if (!circuit.tryAcquirePermission()) {
            throw new CircuitOpenException(type);
        }
        long started = System.nanoTime();
        try {
            T value = action.call();
            circuit.onSuccess(System.nanoTime() - started, TimeUnit.NANOSECONDS);
            return value;
        } catch (Exception e) {
            circuit.onError(System.nanoTime() - started, TimeUnit.NANOSECONDS, e);
            throw e;
        }
    }

    /** Closes it by hand. */
    public void reset() {
        circuit.reset();
    }

    /** How many jobs of the type may be claimed now. */
    int allowance() {
        return switch (state()) {
            case CLOSED -> Integer.MAX_VALUE;
            case OPEN -> clock.instant().isBefore(openedAt.plus(resetAfter)) ? 0 : trial();
            case HALF_OPEN -> trial();
        };
    }

    private int trial() {
        return inFlight.get() == 0 ? 1 : 0;
    }

    /** When claiming should look again, while the breaker is open. */
    Optional<Instant> nextTrial() {
        return state() == State.OPEN ? Optional.of(openedAt.plus(resetAfter)) : Optional.empty();
    }

    void claimed() {
        inFlight.incrementAndGet();
    }

    void settled() {
        inFlight.decrementAndGet();
    }

    boolean admits() {
        return circuit.tryAcquirePermission();
    }

    /** Takes an outcome into account; one that says nothing about what the handler calls gives its turn back. */
    void learn(Outcome outcome, long nanos) {
        switch (outcome) {
            case Outcome.Completed _,Outcome.Ingested _ -> circuit.onSuccess(nanos, TimeUnit.NANOSECONDS);
            case Outcome.Failed _,Outcome.TimedOut _ -> circuit.onError(nanos, TimeUnit.NANOSECONDS,
                    new AttemptFailed());
            case Outcome.Cancelled _,Outcome.Released _ -> circuit.releasePermission();
        }
    }

    /** An admitted attempt did not start after all. */
    void withdrawn() {
        circuit.releasePermission();
    }

    /** The breaker counts; it does not look at the cause. */
    private static final class AttemptFailed extends RuntimeException {
        AttemptFailed() {
            super("attempt failed", null, false, false);
        }
    }
}
