package dev.heddle.engine.execute;

import java.time.Duration;
import java.util.Collections;
import java.util.List;

import dev.heddle.job.Limits;
import dev.heddle.pool.PoolSettings.Stopping;

/**
 * How long the attempts of a closing node may take.
 *
 * @param drain how long they go on undisturbed
 * @param maxGrace how long they may take to stop then at most, before they are interrupted
 * @param abandonAfter the time from the interrupt to abandoning their handlers
 */
public record ClosingTimes(Duration drain, Duration maxGrace, Duration abandonAfter) {

    /** Even an urgent stop leaves handlers a moment. */
    private static final Duration MIN_STOP = Duration.ofSeconds(1);

    /** Lets attempts go on for a while, and then gives each the time to stop that it needs. */
    public static ClosingTimes draining(Duration drain, Stopping stopping) {
        return new ClosingTimes(drain, Limits.DURATION, stopping.abandonAfter());
    }

    /**
     * Keeps a limit for everything together. The time to stop is a part of it: as much as usual, but at most half.
     */
    public static ClosingTimes within(Duration limit, Stopping stopping) {
        Duration usual = stopping.closeTimeout().plus(stopping.abandonAfter());
        Duration stop = Collections.max(List.of(MIN_STOP, min(usual, limit.dividedBy(2))));
        Duration abandonAfter = min(stopping.abandonAfter(), stop.dividedBy(2));
        Duration drain = Collections.max(List.of(Duration.ZERO, limit.minus(stop)));
        return new ClosingTimes(drain, stop.minus(abandonAfter), abandonAfter);
    }

    /** Returns the grace of an attempt, given the grace that it would have without a limit. */
    public Duration grace(Duration wanted) {
        return min(wanted, maxGrace);
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
