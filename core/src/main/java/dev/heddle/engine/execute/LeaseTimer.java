package dev.heddle.engine.execute;

import java.time.Duration;

import dev.heddle.env.Environment;
import org.jspecify.annotations.Nullable;

/**
 * Measures how long this node may run what it has claimed. If several nodes share a store, others take over its jobs
 * when its lease expires, so its attempts must stop earlier: here the lease <em>lapses</em> before it expires there.
 * Time counts from before the renewal was sent, on a clock that nobody can set.
 */
public final class LeaseTimer {

    /** The reason that stopped attempts get. */
    public static final String LAPSED = "the lease could not be renewed in time";

    private final Duration usable;
    private final Duration margin;
    private final Environment env;
    private volatile long renewedAt;
    private volatile boolean shared;
    private volatile boolean lapsed;

    /**
     * Creates a timer for a lease that has not been renewed yet.
     *
     * @param lease the time after which others take over
     * @param usable the time for which attempts may run
     */
    public LeaseTimer(Duration lease, Duration usable, Environment env) {
        this.env = env;
        this.renewedAt = env.nanoTime();
        this.usable = usable;
        this.margin = lease.minus(usable);
    }

    /** Returns how long an attempt may take to stop after the lease has lapsed, before it is interrupted. */
    public Duration stopGrace() {
        return margin.dividedBy(2);
    }

    /** Returns whether several nodes are known to share the store. */
    public boolean isShared() {
        return shared;
    }

    /**
     * Starts the lease again.
     *
     * @param askedAt the {@link Environment#nanoTime} at which the renewal was sent
     */
    public void renewed(long askedAt) {
        renewedAt = askedAt;
        shared = true;
        lapsed = false;
    }

    /** Returns the time until the lease lapses, negative if it should have; null if the store is not shared. */
    public @Nullable Duration remaining() {
        return shared ? usable.minusNanos(env.nanoTime() - renewedAt) : null;
    }

    /** Marks the lease as lapsed; returns whether it was not before. Only the watchdog calls this. */
    public boolean lapse() {
        boolean first = !lapsed;
        lapsed = true;
        return first;
    }

    /**
     * Returns whether the lease has lapsed since its last renewal. After the process has stood still, this is known
     * before the watchdog gets to it.
     */
    public boolean isLapsed() {
        Duration left = lapsed ? null : remaining();
        return lapsed || (left != null && !left.isPositive());
    }
}
