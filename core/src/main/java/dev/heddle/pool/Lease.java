package dev.heddle.pool;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * For how long this node may run what it claimed. In a store that several nodes share, the others take over its jobs
 * when its lease has ended, so its own attempts have to stop before: the lease lapses here earlier than it ends
 * there. Counted from before the renewal was sent, on a clock that nobody can set.
 */
final class Lease {

    static final String LAPSED = "the lease could not be renewed in time";

    private final Duration usable;
    private final Duration rest;
    private volatile long renewedAt = System.nanoTime();
    private volatile boolean shared;
    private volatile boolean lapsed;

    /**
     * @param whole as others count it
     * @param usable for how long attempts may run
     */
    Lease(Duration whole, Duration usable) {
        this.usable = usable;
        this.rest = whole.minus(usable);
    }

    /** For how long an attempt may go on stopping once the lease has lapsed, before it is interrupted. */
    Duration toStop() {
        return rest.dividedBy(2);
    }

    /** Whether the store is one that several nodes share, as far as is known. */
    boolean isShared() {
        return shared;
    }

    /** The store has renewed it, asked at this {@link System#nanoTime()}. */
    void renewed(long askedAt) {
        renewedAt = askedAt;
        shared = true;
        lapsed = false;
    }

    /** How long until it lapses, negative where it should have; null where there is no lease to lose. */
    @Nullable
    Duration left() {
        return shared ? usable.minusNanos(System.nanoTime() - renewedAt) : null;
    }

    /** Marks it as lapsed; true the first time. Only the watchdog does. */
    boolean lapse() {
        boolean first = !lapsed;
        lapsed = true;
        return first;
    }

    boolean isLapsed() {
        return lapsed;
    }
}
