package dev.heddle.pool;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.Limits;
import dev.heddle.job.RetryPolicy;
import dev.heddle.store.NewJob;
import dev.heddle.store.Retention;
import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * The settings of a pool, complete and checked before it opens. {@link PoolBuilder} creates it. Immutable.
 *
 * @param workers how many workers the default group has, which is how many jobs run at once; default 4
 * @param groups how many workers further groups have, by name; default none
 * @param queueCapacity how many QUEUED jobs a queue may have before submits are refused; default unlimited
 * @param queueCapacities the capacities of single queues, by name; default none
 * @param payloadLimit the largest payload, result, checkpoint or step, in bytes of JSON; default 1 MiB, at most 64 MiB
 * @param timeout how long one attempt may take; default 10 min
 * @param retry when failed jobs are retried; default 2 retries, with delays that double from 1 s up to 5 min
 * @param breaker the circuit breaker of types that set none; null for none; default null
 * @param unknownFailures the category of exceptions that no classifier knows; default TRANSIENT
 * @param stopping how attempts are stopped
 * @param claiming how jobs are claimed
 * @param recovering what happens to the jobs of dead nodes
 * @param retention how long ended jobs are kept; default 7 days
 * @param liveness how the node proves to other nodes that it is alive
 * @param virtualThreads whether handlers run on virtual threads; null for groups of more than 64 workers only; default
 *         null
 */
public record PoolSettings(int workers, Map<String, Integer> groups, int queueCapacity,
        Map<String, Integer> queueCapacities, int payloadLimit, Duration timeout, RetryPolicy retry,
        @Nullable BreakerPolicy breaker, FailureCategory unknownFailures, Stopping stopping, Claiming claiming,
        Recovering recovering, Retention retention, Liveness liveness, @Nullable Boolean virtualThreads) {

    /** The group of job types that name none. */
    public static final String DEFAULT_GROUP = "default";

    /** The default of {@code payloadLimit}, in bytes. */
    public static final int PAYLOAD_LIMIT = 1 << 20;

    /**
     * Groups of up to this many workers run on platform threads. There, a handler that spins only costs its share of a
     * core; on virtual threads, two of them would block every other handler of a two-core machine.
     */
    static final int MAX_PLATFORM_THREADS = 64;

    /**
     * How an attempt that should stop is stopped.
     *
     * @param interruptAfter the time from cancelling its token to interrupting its thread; default 1 s
     * @param abandonAfter the time from the interrupt to replacing the worker; default 5 s
     * @param closeTimeout the time from cancelling tokens to interrupting threads if the pool closes; default 20 s
     */
    public record Stopping(Duration interruptAfter, Duration abandonAfter, Duration closeTimeout) {
        /** Checks that no time is negative. */
        public Stopping {
            Limits.notNegative("interruptAfter", interruptAfter);
            Limits.notNegative("abandonAfter", abandonAfter);
            Limits.notNegative("closeTimeout", closeTimeout);
        }

        /** Returns the defaults. */
        public static Stopping standard() {
            return new Stopping(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(20));
        }
    }

    /**
     * How a node claims jobs from the store.
     *
     * @param ahead how many jobs the node may claim beyond its idle workers; default 500
     * @param pollEvery how often to look for jobs without a notification; zero for never, null for 100 ms after a job
     *         was found and then ever more rarely; default null
     * @param maxErrors after how many errors in a row claiming slows down; default 5
     * @param maxBackoff the longest pause after an error; default 30 s
     */
    public record Claiming(int ahead, @Nullable Duration pollEvery, int maxErrors, Duration maxBackoff) {

        private static final Duration FIRST_POLL = Duration.ofMillis(100);
        private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
        private static final Duration LONGEST_PAUSE_UNNOTIFIED = Duration.ofSeconds(1);
        private static final Duration AFTER_FEW_ERRORS = Duration.ofMillis(200);
        private static final Duration AFTER_MANY_ERRORS = Duration.ofSeconds(1);

        /** Checks the values. */
        public Claiming {
            Limits.atLeast(0, "claimAhead", ahead);
            Limits.atLeast(1, "maxErrors", maxErrors);
            Limits.positive("maxBackoff", maxBackoff);
            if (pollEvery != null) {
                Limits.notNegative("pollEvery", pollEvery);
            }
        }

        /** Returns the defaults. */
        public static Claiming standard() {
            return new Claiming(500, null, 5, Duration.ofSeconds(30));
        }

        /**
         * Returns how long to wait before the next poll; null if there is none.
         *
         * @param emptyPolls how many polls in a row have found nothing
         * @param unnotified whether notifications from other nodes do not arrive now
         */
        public @Nullable Duration pollPause(int emptyPolls, boolean unnotified) {
            if (pollEvery != null) {
                return pollEvery.isZero() ? null : pollEvery;
            }
            return doubled(FIRST_POLL, emptyPolls, unnotified ? LONGEST_PAUSE_UNNOTIFIED : LONGEST_PAUSE);
        }

        /**
         * Returns how long to wait after this many errors in a row: a short time below {@code maxErrors}, doubling from
         * there.
         */
        public Duration errorPause(int errorsInARow) {
            return errorsInARow < maxErrors ? doubled(AFTER_FEW_ERRORS, 0, maxBackoff)
                    : doubled(AFTER_MANY_ERRORS, errorsInARow - maxErrors, maxBackoff);
        }

        private static Duration doubled(Duration first, int times, Duration longest) {
            Duration pause = first.multipliedBy(1L << Math.min(times, 30));
            return pause.compareTo(longest) < 0 ? pause : longest;
        }
    }

    /**
     * What happens to the jobs of dead nodes.
     *
     * @param maxCrashes the crash that makes a job a dead letter, at least 1; default 3, so the third one
     * @param staging when jobs that were running start again
     */
    public record Recovering(int maxCrashes, Staging staging) {
        /** Checks the values. */
        public Recovering {
            Limits.atLeast(1, "maxCrashes", maxCrashes);
            requireNonNull(staging, "staging");
        }

        /** Returns the defaults. */
        public static Recovering standard() {
            return new Recovering(3, Staging.standard());
        }
    }

    /**
     * How a node proves to others that it is alive, in a store that several nodes share.
     *
     * @param lease how long the node counts as alive after a renewal, at least three times {@code renewEvery}; default
     *         30 s
     * @param renewEvery how often it renews its lease; default 10 s
     */
    public record Liveness(Duration lease, Duration renewEvery) {
        /** Checks the values. */
        public Liveness {
            Limits.positive("lease", lease);
            Limits.positive("renewEvery", renewEvery);
            if (lease.compareTo(renewEvery.multipliedBy(3)) < 0) {
                throw new IllegalArgumentException("lease must be at least three times renewEvery (" + renewEvery
                        + "), because one failed renewal must do no harm: " + lease);
            }
        }

        /** Returns the defaults. */
        public static Liveness standard() {
            return new Liveness(Duration.ofSeconds(30), Duration.ofSeconds(10));
        }

        /** Returns how long attempts may run after a renewal; the rest of the lease is needed to stop them. */
        public Duration runTime(Stopping stopping) {
            Duration half = lease.dividedBy(2);
            Duration most = lease.minus(lease.dividedBy(10)).minus(stopping.interruptAfter())
                    .minus(stopping.abandonAfter());
            return most.compareTo(half) > 0 ? most : half;
        }
    }

    /** Checks the values and copies the maps. */
    public PoolSettings {
        requireNonNull(retry, "retry");
        requireNonNull(unknownFailures, "unknownFailures");
        requireNonNull(stopping, "stopping");
        requireNonNull(claiming, "claiming");
        requireNonNull(recovering, "recovering");
        requireNonNull(retention, "retention");
        requireNonNull(liveness, "liveness");
        Limits.atLeast(1, "workers", workers);
        groups.forEach((name, count) -> Limits.atLeast(1, "workers of group '" + name + "'", count));
        Limits.atLeast(1, "queueCapacity", queueCapacity);
        queueCapacities.forEach((name, count) -> Limits.atLeast(1, "capacity of queue '" + name + "'", count));
        Limits.between(1, Limits.PAYLOAD, "payloadLimit", payloadLimit);
        Limits.positive("timeout", timeout);
        // Groups are opened and asked for jobs in this order, which must be the same in every JVM.
        groups = Collections.unmodifiableMap(new LinkedHashMap<>(groups));
        queueCapacities = Map.copyOf(queueCapacities);
        if (groups.containsKey(DEFAULT_GROUP)) {
            throw new IllegalArgumentException("the number of workers of the group 'default' is set by workers(n)");
        }
    }

    /** Returns how many workers a group has; 0 if there is no such group. */
    public int workersOf(String group) {
        return group.equals(DEFAULT_GROUP) ? workers : groups.getOrDefault(group, 0);
    }

    /** Returns how many QUEUED jobs a queue may have. */
    public int capacityOf(String queue) {
        return queueCapacities.getOrDefault(queue, queueCapacity);
    }

    /** Returns whether any queue has a capacity. */
    public boolean hasQueueLimits() {
        return queueCapacity != NewJob.UNLIMITED || !queueCapacities.isEmpty();
    }

    /** Returns whether a group of this many workers runs on virtual threads. */
    public boolean usesVirtualThreads(int groupSize) {
        return virtualThreads == null ? groupSize > MAX_PLATFORM_THREADS : virtualThreads;
    }

    /** Returns the names of all groups but the default one. */
    public Set<String> groupNames() {
        return groups.keySet();
    }
}
