package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * A request to run a job: a type, a payload and options. Create one with {@link JobType#with}. Immutable: every option
 * returns a changed copy with the same id, so you can repeat a submit whose answer was lost without creating a second
 * job.
 *
 * @param <P> the payload
 * @param <R> the result
 */
public final class JobRequest<P, R> {

    /** The queue of requests that name none. */
    public static final String DEFAULT_QUEUE = "default";

    private final JobType<P, R> type;
    private final @Nullable P payload;
    private final Options options;

    /** When a job may start. */
    public sealed interface Start {
        /** The job may start at once. */
        record AtOnce() implements Start {}

        /**
         * The job may start some time after the submit.
         *
         * @param delay how long after
         */
        record After(Duration delay) implements Start {}

        /**
         * The job may start at a time.
         *
         * @param time the earliest time
         */
        record At(Instant time) implements Start {}

        /** Returns when a job that is submitted now may start; empty if it may start at once. */
        default Optional<Instant> dueAt(Instant now) {
            return switch (this) {
                case AtOnce _ -> Optional.empty();
                case After(Duration delay) -> delay.isZero() ? Optional.empty() : Optional.of(now.plus(delay));
                case At(Instant time) -> time.isAfter(now) ? Optional.of(time) : Optional.empty();
            };
        }
    }

    /** Mutable only while {@link #with} builds a copy. Each option is one field. */
    private static final class Options implements Cloneable {
        JobId id = JobId.next();
        String queue = DEFAULT_QUEUE;
        int priority;
        Start start = new Start.AtOnce();
        @Nullable Integer maxRetries;
        @Nullable Duration timeout;
        @Nullable JobId parent;
        @Nullable String session;
        @Nullable String subject;
        Set<String> tags = Set.of();
        @Nullable String dedupeKey;
        Dedupe dedupe = Dedupe.whileActive();
        boolean outlivesParent;
        Map<String, String> headers = Map.of();
        Map<String, LimitKey> limits = Map.of();

        void startAt(Start value) {
            start = value;
            requireOneStart();
        }

        void requireOneStart() {
            if (dedupe.setsStart() && !(start instanceof Start.AtOnce)) {
                throw new IllegalArgumentException(
                        "a job that is debounced cannot have a delay or a start time: debounce says when it starts");
            }
        }

        Options copy() {
            try {
                return (Options) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @FunctionalInterface
    private interface Edit {
        void apply(Options options);
    }

    private JobRequest(JobType<P, R> type, @Nullable P payload, Options options) {
        this.type = type;
        this.payload = payload;
        this.options = options;
    }

    static <P, R> JobRequest<P, R> of(JobType<P, R> type, @Nullable P payload) {
        return new JobRequest<>(type, payload, new Options());
    }

    private JobRequest<P, R> with(Edit edit) {
        Options copy = options.copy();
        edit.apply(copy);
        return new JobRequest<>(type, payload, copy);
    }

    /** Sets the id, instead of a new one. Submitting the same id twice creates one job. */
    public JobRequest<P, R> id(JobId value) {
        requireNonNull(value, "value");
        return with(o -> o.id = value);
    }

    /** Sets the queue. The default is {@value #DEFAULT_QUEUE}. */
    public JobRequest<P, R> queue(String name) {
        Limits.name("queue", name);
        return with(o -> o.queue = name);
    }

    /**
     * Sets the priority. Larger values run first; jobs of the same priority run in the order of submission. The default
     * is 0.
     */
    public JobRequest<P, R> priority(int value) {
        return with(o -> o.priority = value);
    }

    /** Delays the start: the job may run this long after the submit. The default is no delay. */
    public JobRequest<P, R> delay(Duration value) {
        Limits.notNegative("delay", value);
        return with(o -> o.startAt(new Start.After(value)));
    }

    /** Sets the time at which the job may run; a time in the past means at once. Replaces {@link #delay}. */
    public JobRequest<P, R> runAt(Instant time) {
        Limits.time("runAt", time);
        return with(o -> o.startAt(new Start.At(time)));
    }

    /** Sets how often the job is retried, instead of as often as its type is. */
    public JobRequest<P, R> maxRetries(int value) {
        Limits.atLeast(0, "maxRetries", value);
        return with(o -> o.maxRetries = value);
    }

    /** Sets how long one attempt may take, instead of the type's timeout. */
    public JobRequest<P, R> timeout(Duration value) {
        // Stores keep milliseconds.
        Duration limit = Limits.positive("timeout", value).truncatedTo(ChronoUnit.MILLIS);
        return with(o -> o.timeout = limit);
    }

    /**
     * Makes the job a child of another job. If the parent ends first, the child is cancelled; see
     * {@link #outlivesParent}.
     */
    public JobRequest<P, R> parent(JobId value) {
        requireNonNull(value, "value");
        return with(o -> o.parent = value);
    }

    /** Lets the job go on if its parent ends, instead of being cancelled. */
    public JobRequest<P, R> outlivesParent() {
        return with(o -> o.outlivesParent = true);
    }

    /** Adds the job to a client's session, for types that have an {@link Affinity}. */
    public JobRequest<P, R> session(String key) {
        Limits.name("session", key);
        return with(o -> o.session = key);
    }

    /** Sets what the job is about, such as the id of a document. Jobs can be filtered by it. */
    public JobRequest<P, R> subject(String value) {
        Limits.name("subject", value);
        return with(o -> o.subject = value);
    }

    /**
     * Sets the headers, replacing those set before: small strings that travel beside the payload, such as a trace id or
     * a tenant. The handler reads them with {@link JobContext#headers}.
     *
     * @throws IllegalArgumentException if there are more than {@value Limits#HEADERS}, a name is invalid, or a value is
     *     longer than {@value Limits#HEADER_VALUE} characters
     */
    public JobRequest<P, R> headers(Map<String, String> values) {
        requireNonNull(values, "values");
        Limits.between(0, Limits.HEADERS, "the number of headers", values.size());
        values.forEach((name, value) -> {
            Limits.name("header", name);
            if (value == null || value.length() > Limits.HEADER_VALUE || !Limits.isStorable(value)) {
                throw new IllegalArgumentException("the value of header '" + name + "' must be a string of at most "
                        + Limits.HEADER_VALUE + " characters without U+0000; put large data into the payload");
            }
        });
        return with(o -> o.headers = Map.copyOf(values));
    }

    /** Sets the tags, replacing those set before: {@value Limits#TAGS} at most. Jobs can be filtered by them. */
    public JobRequest<P, R> tags(String... values) {
        for (String value : values) {
            Limits.name("tag", value);
        }
        Set<String> distinct = Set.copyOf(Arrays.asList(values));
        Limits.between(0, Limits.TAGS, "the number of tags", distinct.size());
        return with(o -> o.tags = distinct);
    }

    /**
     * Sets a key that only one live job of the type may have. A submit with a key in use returns that job instead of a
     * new one.
     */
    public JobRequest<P, R> dedupeKey(String key) {
        return dedupeKey(key, Dedupe.whileActive());
    }

    /**
     * Sets a key that only one job of the type may have, and what the submit does if the key is in use.
     *
     * @throws IllegalArgumentException if the mode is {@link Dedupe#debounce}, and the request has a delay or a start
     *     time
     */
    public JobRequest<P, R> dedupeKey(String key, Dedupe mode) {
        Limits.name("dedupeKey", key);
        requireNonNull(mode, "mode");
        return with(o -> {
            o.dedupeKey = key;
            o.dedupe = mode;
            o.requireOneStart();
        });
    }

    /**
     * Sets the key of a limit, instead of the one in the payload: jobs with the same key share its room.
     *
     * @param limit the name of a limit that is set on the store
     * @param key the key, such as the id of a customer
     */
    public JobRequest<P, R> limitKey(String limit, String key) {
        return limitKey(limit, key, 1);
    }

    /** Does the same, and sets how much of the limit's rate the job takes, instead of 1. */
    public JobRequest<P, R> limitKey(String limit, String key, int weight) {
        Map<String, LimitKey> keys = new LinkedHashMap<>(options.limits);
        keys.put(limit, new LimitKey(limit, key, weight));
        Limits.between(0, LimitKey.MOST, "the number of limits", keys.size());
        return with(o -> o.limits = keys);
    }

    /** Returns the type. */
    public JobType<P, R> type() {
        return type;
    }

    /** Returns the payload; null only for types without one. */
    public @Nullable P payload() {
        return payload;
    }

    /** Returns the id. */
    public JobId id() {
        return options.id;
    }

    /** Returns the name of the queue. */
    public String queue() {
        return options.queue;
    }

    /** Returns the session, if the request has one. */
    public Optional<String> session() {
        return Optional.ofNullable(options.session);
    }

    /** Returns when the job may start. */
    public Start start() {
        return options.start;
    }

    /** Returns what a store keeps of the request, with its payload as JSON and the time of its submit. */
    public JobSpec spec(String payloadJson, Instant now) {
        return new JobSpec(options.id, type.name(), options.queue, options.priority, payloadJson, now,
                new JobSpec.Extras(options.maxRetries, options.timeout, options.parent, options.session,
                        options.subject, options.tags, options.dedupeKey, options.dedupe, options.outlivesParent,
                        options.headers, List.copyOf(options.limits.values()), Map.of()));
    }
}
