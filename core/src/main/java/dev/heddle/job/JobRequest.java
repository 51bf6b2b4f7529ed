package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * One submission: a type, a payload and the options. Immutable; every option returns a changed copy that
 * keeps the id, so that a request whose answer was lost can be submitted again without a second job.
 */
public final class JobRequest<P, R> {

    public static final String DEFAULT_QUEUE = "default";

    private final JobType<P, R> type;
    private final P payload;
    private final Options options;

    /** When the job may start: at once, some time after the submit, or at a time. */
    public sealed interface Start {
        record AtOnce() implements Start {}

        record After(Duration delay) implements Start {}

        record At(Instant time) implements Start {}
    }

    /** Mutable only while {@link #with} builds a copy; one field per option, so that an option is one line. */
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
        boolean outlivesParent;

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

    private JobRequest(JobType<P, R> type, P payload, Options options) {
        this.type = type;
        this.payload = payload;
        this.options = options;
    }

    static <P, R> JobRequest<P, R> of(JobType<P, R> type, P payload) {
        return new JobRequest<>(type, payload, new Options());
    }

    private JobRequest<P, R> with(Edit edit) {
        Options copy = options.copy();
        edit.apply(copy);
        return new JobRequest<>(type, payload, copy);
    }

    /** An id of the caller's own; submitting it twice makes one job. */
    public JobRequest<P, R> id(JobId value) {
        return with(o -> o.id = value);
    }

    public JobRequest<P, R> queue(String name) {
        Checks.name("queue", name);
        return with(o -> o.queue = name);
    }

    /** Larger first; within one priority, first come first served. Default 0. */
    public JobRequest<P, R> priority(int value) {
        return with(o -> o.priority = value);
    }

    /** Starts no earlier than this after the submit. */
    public JobRequest<P, R> delay(Duration value) {
        Checks.notNegative("delay", value);
        return with(o -> o.start = new Start.After(value));
    }

    /** Starts no earlier than this; a time in the past means at once. */
    public JobRequest<P, R> runAt(Instant time) {
        return with(o -> o.start = new Start.At(time));
    }

    /** Instead of the type's. */
    public JobRequest<P, R> maxRetries(int value) {
        Checks.notNegative("maxRetries", value);
        return with(o -> o.maxRetries = value);
    }

    /** The most one attempt may take, instead of the type's. */
    public JobRequest<P, R> timeout(Duration value) {
        Checks.positive("timeout", value);
        return with(o -> o.timeout = value);
    }

    /** A job that has not ended when its parent ends is cancelled; see {@link #outlivesParent}. */
    public JobRequest<P, R> parent(JobId value) {
        return with(o -> o.parent = value);
    }

    /** Goes on when its parent ends. */
    public JobRequest<P, R> outlivesParent() {
        return with(o -> o.outlivesParent = true);
    }

    public JobRequest<P, R> session(String key) {
        Checks.name("session", key);
        return with(o -> o.session = key);
    }

    /** What the job is about, such as a document's id; can be filtered by everywhere. */
    public JobRequest<P, R> subject(String value) {
        Checks.name("subject", value);
        return with(o -> o.subject = value);
    }

    public JobRequest<P, R> tags(String... values) {
        for (String value : values) {
            Checks.name("tag", value);
        }
        return with(o -> o.tags = Set.copyOf(new TreeSet<>(Set.of(values))));
    }

    /** While a job of this type with this key has not ended, a submit returns that job instead of a new one. */
    public JobRequest<P, R> dedupeKey(String key) {
        Checks.name("dedupe key", key);
        return with(o -> o.dedupeKey = key);
    }

    public JobType<P, R> type() {
        return type;
    }

    public P payload() {
        return payload;
    }

    public JobId id() {
        return options.id;
    }

    public String queue() {
        return options.queue;
    }

    public Optional<String> session() {
        return Optional.ofNullable(options.session);
    }

    public Start start() {
        return options.start;
    }

    /** What the store keeps of this request. */
    public JobSpec spec(String payloadJson, Instant now) {
        return new JobSpec(options.id, type.name(), options.queue, options.priority, payloadJson, now,
                new JobSpec.Extras(options.maxRetries, options.timeout, options.parent, options.session,
                        options.subject, options.tags, options.dedupeKey, options.outlivesParent));
    }

    /** The time before which the job must not start, if there is one. */
    public Optional<Instant> notBefore(Instant now) {
        return switch (options.start) {
            case Start.AtOnce _ -> Optional.empty();
            case Start.After(Duration delay) ->
                delay.isZero() ? Optional.empty() : Optional.of(now.plus(delay));
            case Start.At(Instant time) -> time.isAfter(now) ? Optional.of(time) : Optional.empty();
        };
    }
}
