package dev.heddle.engine.registry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import dev.heddle.env.Environment;
import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.Outcome;
import dev.heddle.pool.Breaker;
import dev.heddle.pool.CircuitOpenException;
import dev.heddle.waiting.NodeStatus.BreakerStatus;
import io.github.resilience4j.circuitbreaker.CircuitBreaker;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig;
import io.github.resilience4j.circuitbreaker.CircuitBreakerConfig.SlidingWindowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The circuit breaker of one job type. While it is open, jobs of the type stay queued and use up no attempt. After
 * the reset time one job may try, and its outcome decides.
 */
public final class TypeBreaker implements Breaker {

    private static final Logger LOG = LoggerFactory.getLogger(TypeBreaker.class);

    private final String type;
    private final CircuitBreaker circuit;
    private final Duration resetAfter;
    private final Environment env;
    private final AtomicInteger inFlight = new AtomicInteger();
    private volatile Duration openedAt = Duration.ZERO;

    TypeBreaker(String type, BreakerPolicy policy, Environment env, Runnable onChange) {
        this.type = type;
        this.env = env;
        this.resetAfter = policy.resetAfter();
        // A window of n calls that opens at a failure rate of 100 % means "n failures in a row"; one success starts
        // the count again. resilience4j admits a call only after the wait, not at its end, but jobs come back exactly
        // then: so it waits a millisecond less.
        // Its clock shows elapsed time, so setting the time of day neither opens nor closes anything.
        InstantSource clock = () -> Instant.EPOCH.plus(env.elapsed());
        Duration wait = policy.resetAfter().minusMillis(policy.resetAfter().toMillis() > 1 ? 1 : 0);
        CircuitBreakerConfig config = CircuitBreakerConfig.custom().slidingWindowType(SlidingWindowType.COUNT_BASED)
                .slidingWindowSize(policy.failures()).minimumNumberOfCalls(policy.failures()).failureRateThreshold(100)
                .permittedNumberOfCallsInHalfOpenState(1).waitDurationInOpenState(wait)
                .clock(clock.withZone(ZoneOffset.UTC)).build();
        this.circuit = CircuitBreaker.of(type, config);
        circuit.getEventPublisher().onStateTransition(event -> {
            if (event.getStateTransition().getToState() == CircuitBreaker.State.OPEN) {
                openedAt = env.elapsed();
            }
            LOG.atWarn().addKeyValue("type", type).addKeyValue("change", event.getStateTransition())
                    .log("Circuit breaker of {}: {}", type, event.getStateTransition());
            onChange.run();
        });
    }

    @Override
    public State state() {
        return switch (circuit.getState()) {
            case OPEN, FORCED_OPEN -> State.OPEN;
            case HALF_OPEN -> State.HALF_OPEN;
            case CLOSED, DISABLED, METRICS_ONLY -> State.CLOSED;
        };
    }

    @Override
    @SuppressWarnings("CatchingThrowable") // an Error counts, too; otherwise its permission would be lost
    public <T> T call(Callable<T> action) throws Exception {
        if (!circuit.tryAcquirePermission()) {
            throw new CircuitOpenException(type);
        }
        long started = env.nanoTime();
        try {
            T value = action.call();
            circuit.onSuccess(env.nanoTime() - started, TimeUnit.NANOSECONDS);
            return value;
        } catch (Throwable e) {
            circuit.onError(env.nanoTime() - started, TimeUnit.NANOSECONDS, e);
            throw e;
        }
    }

    @Override
    public void reset() {
        circuit.reset();
    }

    /** Returns how many jobs of the type may be claimed now. */
    public int allowance() {
        return switch (state()) {
            case CLOSED -> Integer.MAX_VALUE;
            case OPEN -> env.elapsed().compareTo(openedAt.plus(resetAfter)) < 0 ? 0 : trial();
            case HALF_OPEN -> trial();
        };
    }

    /** Returns until when jobs have to wait for this breaker; empty if one may be claimed. */
    public Optional<BreakerStatus> blocked(Instant now) {
        if (allowance() > 0) {
            return Optional.empty();
        }
        return Optional.of(new BreakerStatus(nextTrial().map(trial -> trial.minus(env.elapsed()))
                .filter(Duration::isPositive).map(now::plus).orElse(null)));
    }

    private int trial() {
        return inFlight.get() == 0 ? 1 : 0;
    }

    /** Returns the {@link Environment#elapsed} time of the next trial; empty if the breaker is not open. */
    public Optional<Duration> nextTrial() {
        return state() == State.OPEN ? Optional.of(openedAt.plus(resetAfter)) : Optional.empty();
    }

    /** Notes that a job of the type was claimed. */
    public void claimed() {
        inFlight.incrementAndGet();
    }

    /** Notes that a claim was settled. */
    public void settled() {
        inFlight.decrementAndGet();
    }

    /** Takes a permission to start an attempt; returns false if the breaker is open. */
    public boolean tryAdmit() {
        return circuit.tryAcquirePermission();
    }

    /**
     * Records the outcome of an admitted attempt. Outcomes that say nothing about the handler return the permission.
     */
    public void record(Outcome outcome, long nanos) {
        switch (outcome) {
            case Outcome.Completed _, Outcome.Rescheduled _, Outcome.Ingested _ ->
                circuit.onSuccess(nanos, TimeUnit.NANOSECONDS);
            case Outcome.Failed _, Outcome.TimedOut _ ->
                circuit.onError(nanos, TimeUnit.NANOSECONDS, new AttemptFailed());
            case Outcome.Cancelled _, Outcome.Released _, Outcome.Crashed _ -> circuit.releasePermission();
        }
    }

    /** Returns the permission of an admitted attempt that did not start. */
    public void notStarted() {
        circuit.releasePermission();
    }

    /** The breaker counts failures and ignores their causes. */
    private static final class AttemptFailed extends RuntimeException {
        AttemptFailed() {
            super("attempt failed", null, false, false);
        }
    }
}
