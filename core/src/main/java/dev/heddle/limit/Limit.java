package dev.heddle.limit;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.job.Limits;
import org.jspecify.annotations.Nullable;

/**
 * A limit on jobs, over all nodes: how many may run at once, or how many may start in a time, for each key. Immutable:
 * every option returns a changed copy.
 *
 * <pre>{@code
 * pool.admin().setLimit(Limit.named("per-customer").key("$.customer").maxConcurrent(3));
 * pool.admin().setLimit(Limit.named("mail-api").ofType("mail").rate(100, Duration.ofMinutes(1)).burst(10));
 * }</pre>
 *
 * @param name the name of the limit
 * @param scope which jobs it covers by themselves; null for all that have its path, or that name it
 * @param path where the payload has the key; null if the jobs of the scope share one key, or name theirs
 * @param maxConcurrent how many jobs of a key may run at once; null for any number
 * @param rate how many jobs of a key may start in a time; null for any number
 * @param whenFull what happens to a job that finds no room
 */
public record Limit(String name, @Nullable Scope scope, @Nullable JsonPath path, @Nullable Integer maxConcurrent,
        @Nullable Rate rate, WhenFull whenFull) {

    /** The largest number of jobs that a limit lets run at once. */
    public static final int MOST = 1_000_000;

    /** What happens to a job that finds no room. */
    public enum WhenFull {
        /** It waits in the queue. */
        QUEUE("queue"),
        /** Its submit is refused. */
        DROP_NEW("dropNew"),
        /** It waits in the queue, and the oldest jobs of its key are cancelled to make room. */
        CANCEL_RUNNING("cancelRunning");

        private final String text;

        WhenFull(String text) {
            this.text = text;
        }

        /** Returns the policy as it is written in {@code heddle.yaml}, such as {@code dropNew}. */
        public String text() {
            return text;
        }

        /**
         * Returns the policy that is written so.
         *
         * @throws IllegalArgumentException if there is none
         */
        public static WhenFull parse(String text) {
            return Arrays.stream(values()).filter(policy -> policy.text.equalsIgnoreCase(text.strip())).findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("unknown policy for a full limit '"
                            + Limits.quoted(text) + "'; expected queue, dropNew or cancelRunning"));
        }
    }

    /** Which jobs a limit covers. */
    public enum Kind {
        /** The jobs of a type. */
        TYPE,
        /** The jobs of a queue. */
        QUEUE,
        /** The jobs with a tag. */
        TAG
    }

    /**
     * The jobs of one type, of one queue, or with one tag.
     *
     * @param kind what is compared
     * @param value the name of the type, queue or tag
     */
    public record Scope(Kind kind, String value) {

        /** Checks the name. */
        public Scope {
            Limits.name("the " + kind.name().toLowerCase(Locale.ROOT) + " of a limit", value);
        }

        boolean covers(JobSpec job) {
            return switch (kind) {
                case TYPE -> job.type().equals(value);
                case QUEUE -> job.queue().equals(value);
                case TAG -> job.tags().contains(value);
            };
        }
    }

    /** Checks the values. */
    public Limit {
        Limits.name("limit", name);
        if (maxConcurrent != null) {
            Limits.between(1, MOST, "maxConcurrent of limit '" + name + "'", maxConcurrent);
        }
        if (rate != null && whenFull == WhenFull.CANCEL_RUNNING) {
            throw new IllegalArgumentException("limit '" + name
                    + "' has a rate, so cancelling running jobs makes no room; use queue or dropNew");
        }
    }

    /** Returns a limit without any bound. Set {@link #maxConcurrent(int)} or {@link #rate(int, Duration)}. */
    public static Limit named(String name) {
        return new Limit(name, null, null, null, null, WhenFull.QUEUE);
    }

    /** Sets how many jobs of a key may run at once, over all nodes. */
    public Limit maxConcurrent(int value) {
        return new Limit(name, scope, path, value, rate, whenFull);
    }

    /**
     * Sets how many jobs of a key may start in a time, over all nodes. They start evenly, each as soon as its share of
     * the time has passed; see {@link #burst}.
     */
    public Limit rate(int count, Duration per) {
        return new Limit(name, scope, path, maxConcurrent, new Rate(count, per, rate == null ? 1 : rate.burst()),
                whenFull);
    }

    /** Sets how many jobs of a key may start together after a pause; 1 if unset. The limit must have a rate. */
    public Limit burst(int value) {
        if (rate == null) {
            throw new IllegalArgumentException("limit '" + name + "' has no rate; set the rate before the burst");
        }
        return new Limit(name, scope, path, maxConcurrent, new Rate(rate.count(), rate.per(), value), whenFull);
    }

    /**
     * Takes the key of each job from its payload. A job without a value there is not covered.
     *
     * @param jsonPath a path such as {@code $.customer.id} or {@code $.items[0]['the id']}
     */
    public Limit key(String jsonPath) {
        return new Limit(name, scope, JsonPath.of(jsonPath), maxConcurrent, rate, whenFull);
    }

    /** Covers the jobs of a type. */
    public Limit ofType(String type) {
        return new Limit(name, new Scope(Kind.TYPE, type), path, maxConcurrent, rate, whenFull);
    }

    /** Covers the jobs of a queue. */
    public Limit ofQueue(String queue) {
        return new Limit(name, new Scope(Kind.QUEUE, queue), path, maxConcurrent, rate, whenFull);
    }

    /** Covers the jobs with a tag. */
    public Limit ofTag(String tag) {
        return new Limit(name, new Scope(Kind.TAG, tag), path, maxConcurrent, rate, whenFull);
    }

    /** Sets what happens to a job that finds no room. The default is that it waits in the queue. */
    public Limit whenFull(WhenFull value) {
        return new Limit(name, scope, path, maxConcurrent, rate, value);
    }

    /**
     * Returns this limit.
     *
     * @throws IllegalArgumentException if it bounds nothing
     */
    public Limit complete() {
        if (maxConcurrent == null && rate == null) {
            throw new IllegalArgumentException(
                    "limit '" + name + "' limits nothing; set how many jobs may run at once, or a rate such as 100/1m");
        }
        return this;
    }

    /**
     * Returns the key under which this limit covers a job by itself; empty if it does not.
     *
     * @throws IllegalArgumentException if the value at the path cannot be a key
     */
    Optional<String> keyOf(JobSpec job) {
        if (scope != null && !scope.covers(job)) {
            return Optional.empty();
        }
        if (path != null) {
            return path.textIn(job.payload(), "the key of limit '" + name + "'");
        }
        return scope == null ? Optional.empty() : Optional.of(LimitKey.ALL);
    }
}
