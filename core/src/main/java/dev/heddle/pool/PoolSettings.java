package dev.heddle.pool;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.BreakerPolicy;
import dev.heddle.job.FailureCategory;
import dev.heddle.job.RetryPolicy;
import dev.heddle.store.NewJob;
import dev.heddle.store.Retention;
import org.jspecify.annotations.Nullable;

/**
 * Everything a pool can be told, complete and checked before it opens. {@link PoolBuilder} makes it.
 *
 * @param workers how many jobs run at once in the default group; default 4
 * @param groups workers of further groups by name; default none
 * @param queueCapacity the most QUEUED jobs of a queue before submits are refused; default unlimited
 * @param queueCapacities the same for single queues; default none
 * @param payloadLimit the largest payload, result, checkpoint or step in bytes of JSON; default 1 MiB
 * @param timeout the most one attempt may take; default 10 min
 * @param retry how failed jobs are tried again; default 2 retries, exponential from 1 s to 5 min
 * @param breaker the breaker of types that have none of their own; default none
 * @param unknownFailures the category of exceptions no classifier knows; default TRANSIENT
 * @param stopping how attempts are stopped
 * @param claiming how jobs are claimed
 * @param recovering what becomes of the jobs of dead nodes
 * @param retention how long ended jobs are kept; default 7 days
 * @param liveness how the node stays alive in the eyes of others
 * @param virtualThreads whether handlers run on virtual threads; default: in groups of more than 64 workers
 */
public record PoolSettings(int workers, Map<String, Integer> groups, int queueCapacity,
        Map<String, Integer> queueCapacities, int payloadLimit, Duration timeout, RetryPolicy retry,
        @Nullable BreakerPolicy breaker, FailureCategory unknownFailures, Stopping stopping,
        Claiming claiming,
        Recovering recovering, Retention retention, Liveness liveness, @Nullable Boolean virtualThreads) {

    public static final String DEFAULT_GROUP = "default";

    /**
     * Up to here a group runs on platform threads: a handler that spins then costs its share of a core, where
     * on virtual threads two of them would stop every other handler of a two-core machine.
     */
    static final int MOST_PLATFORM_THREADS = 64;

    /**
     * How an attempt that should end is made to end.
     *
     * @param interruptAfter from cancelling its token to interrupting its thread; default 1 s
     * @param abandonAfter from the interrupt to replacing the worker; default 5 s
     * @param closing from cancelling tokens to interrupting, when the pool closes; default 20 s
     */
    public record Stopping(Duration interruptAfter, Duration abandonAfter, Duration closing) {
        public Stopping {
            notNegative("interruptAfter", interruptAfter);
            notNegative("abandonAfter", abandonAfter);
            notNegative("closeTimeout", closing);
        }

        public static Stopping standard() {
            return new Stopping(Duration.ofSeconds(1), Duration.ofSeconds(5), Duration.ofSeconds(20));
        }
    }

    /**
     * How the claiming loop asks the store for jobs.
     *
     * @param ahead the most jobs held beyond the free workers; default 500
     * @param pollEvery how often to look without being told; zero for never; default null: from idle ever more rarely
     * @param maxErrors errors of the loop in a row from which on it slows down; default 5
     * @param maxBackoff the longest pause after an error; default 30 s
     */
    public record Claiming(int ahead, @Nullable Duration pollEvery, int maxErrors, Duration maxBackoff) {

        private static final Duration FIRST_LOOK = Duration.ofMillis(100);
        private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
        private static final Duration LONGEST_PAUSE_OF_THE_DEAF = Duration.ofSeconds(1);
        private static final Duration AFTER_FEW_ERRORS = Duration.ofMillis(200);
        private static final Duration AFTER_MANY_ERRORS = Duration.ofSeconds(1);

        public Claiming {
            atLeast(0, "claimAhead", ahead);
            atLeast(1, "maxErrors", maxErrors);
            positive("maxBackoff", maxBackoff);
            if (pollEvery != null) {
                notNegative("pollEvery", pollEvery);
            }
        }

        public static Claiming standard() {
            return new Claiming(500, null, 5, Duration.ofSeconds(30));
        }

        /**
         * How long to wait before the next look that nobody asked for; null where there is none.
         *
         * @param inVain how many such looks in a row have found nothing
         * @param deaf whether announcements of other nodes do not arrive
         */
        @Nullable
        Duration pause(int inVain, boolean deaf) {
            if (pollEvery != null) {
                return pollEvery.isZero() ? null : pollEvery;
            }
            return doubled(FIRST_LOOK, inVain, deaf ? LONGEST_PAUSE_OF_THE_DEAF : LONGEST_PAUSE);
        }

        /** How long to wait after errors of the loop in a row: short below the limit, from there on doubling. */
        Duration pauseAfter(int errorsInARow) {
            return errorsInARow < maxErrors ? doubled(AFTER_FEW_ERRORS, 0, maxBackoff)
                    : doubled(AFTER_MANY_ERRORS, errorsInARow - maxErrors, maxBackoff);
        }

        private static Duration doubled(Duration first, int times, Duration longest) {
            Duration pause = first.multipliedBy(1L << Math.min(times, 30));
            return pause.compareTo(longest) < 0 ? pause : longest;
        }
    }

    /**
     * What becomes of the jobs of dead nodes.
     *
     * @param maxCrashes nodes a job may take down before it counts as poison; default 3
     * @param staging when those that ran start again
     */
    public record Recovering(int maxCrashes, Staging staging) {
        public Recovering {
            atLeast(0, "maxCrashes", maxCrashes);
        }

        public static Recovering standard() {
            return new Recovering(3, Staging.standard());
        }
    }

    /**
     * How a node stays alive in the eyes of others, in a store that several share.
     *
     * @param lease how long it counts as alive after a renewal; default 30 s
     * @param renewEvery how often it renews; default 10 s
     */
    public record Liveness(Duration lease, Duration renewEvery) {
        public Liveness {
            positive("lease", lease);
            positive("renewEvery", renewEvery);
            if (lease.compareTo(renewEvery.multipliedBy(3)) < 0) {
                throw new IllegalArgumentException(
                        "lease must be at least three times renewEvery (" + renewEvery
                                + "), so that one failed renewal does no harm: " + lease);
            }
        }

        public static Liveness standard() {
            return new Liveness(Duration.ofSeconds(30), Duration.ofSeconds(10));
        }

        /** For how long after a renewal attempts may run: the rest of the lease is for stopping them. */
        Duration usable(Stopping stopping) {
            Duration half = lease.dividedBy(2);
            Duration most = lease.minus(lease.dividedBy(10)).minus(stopping.interruptAfter())
                    .minus(stopping.abandonAfter());
            return most.compareTo(half) > 0 ? most : half;
        }
    }

    public PoolSettings {
        atLeast(1, "workers", workers);
        groups.forEach((name, count) -> atLeast(1, "workers of group '" + name + "'", count));
        atLeast(1, "queueCapacity", queueCapacity);
        queueCapacities.forEach((name, count) -> atLeast(1, "capacity of queue '" + name + "'", count));
        atLeast(1, "payloadLimit", payloadLimit);
        positive("timeout", timeout);
        groups = Map.copyOf(groups);
        queueCapacities = Map.copyOf(queueCapacities);
        if (groups.containsKey(DEFAULT_GROUP)) {
            throw new IllegalArgumentException("the group 'default' gets its workers from workers(n)");
        }
    }

    int workersOf(String group) {
        return group.equals(DEFAULT_GROUP) ? workers : groups.getOrDefault(group, 0);
    }

    int capacityOf(String queue) {
        return queueCapacities.getOrDefault(queue, queueCapacity);
    }

    boolean isBounded() {
        return queueCapacity != NewJob.UNLIMITED || !queueCapacities.isEmpty();
    }

    boolean virtual(int count) {
        return virtualThreads == null ? count > MOST_PLATFORM_THREADS : virtualThreads;
    }

    Set<String> groupNames() {
        return groups.keySet();
    }

    private static void atLeast(int least, String name, int value) {
        if (value < least) {
            throw new IllegalArgumentException(name + " must be at least " + least + ": " + value);
        }
    }

    private static void notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " must not be negative: " + value);
        }
    }

    private static void positive(String name, Duration value) {
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be longer than zero: " + value);
        }
    }
}
