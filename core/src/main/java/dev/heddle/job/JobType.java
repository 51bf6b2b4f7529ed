package dev.heddle.job;

import java.lang.reflect.Type;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

import static java.util.Objects.requireNonNull;

/**
 * A kind of job: a name, the types of payload and result, and the rules its jobs run by. Declare it as a constant,
 * register it with its handler, and submit with it. Rules that are not set come from the pool. Immutable: every rule
 * returns a changed copy.
 *
 * {@snippet :
 * static final JobType<Greeting, String> GREET = JobType.of("greet", Greeting.class, String.class)
 *         .timeout(Duration.ofMinutes(1));
 * }
 *
 * @param <P> the payload
 * @param <R> the result
 */
public final class JobType<P, R> {

    private static final Pattern SEARCHABLE_PATH = Pattern.compile("[\\p{L}\\p{N}_-]+(\\.[\\p{L}\\p{N}_-]+)*");

    private final String name;
    private final Type payload;
    private final Type result;
    private final Rules rules;

    /** Mutable only while {@link #with(Edit)} builds a copy. Each rule is one field. */
    private static final class Rules implements Cloneable {
        @Nullable RetryPolicy retry;
        @Nullable Duration timeout;
        @Nullable BreakerPolicy breaker;
        @Nullable Duration stallAfter;
        @Nullable FailureClassifier classifier;
        @Nullable String group;
        @Nullable Duration stopWithin;
        @Nullable Integer maxConcurrentPerNode;
        @Nullable Affinity affinity;
        boolean idempotent = true;
        boolean keepsChildren;
        Set<String> searchable = Set.of();

        Rules copy() {
            try {
                return (Rules) clone();
            } catch (CloneNotSupportedException e) {
                throw new AssertionError(e);
            }
        }
    }

    @FunctionalInterface
    private interface Edit {
        void apply(Rules rules);
    }

    private JobType(String name, Type payload, Type result, Rules rules) {
        this.name = Limits.name("type", name);
        this.payload = payload;
        this.result = result;
        this.rules = rules;
    }

    /** Creates a type whose payload and result travel as JSON; records and plain classes both work. */
    public static <P, R> JobType<P, R> of(String name, Class<P> payload, Class<R> result) {
        return new JobType<>(name, requireNonNull(payload, "payload"), requireNonNull(result, "result"), new Rules());
    }

    /** Creates a type whose payload and result are generic, such as {@code List<Order>}. */
    public static <P, R> JobType<P, R> of(String name, TypeRef<P> payload, TypeRef<R> result) {
        return new JobType<>(name, requireNonNull(payload, "payload").type(), requireNonNull(result, "result").type(),
                new Rules());
    }

    /** Creates a type whose payload is generic and whose result is not. */
    public static <P, R> JobType<P, R> of(String name, TypeRef<P> payload, Class<R> result) {
        return new JobType<>(name, requireNonNull(payload, "payload").type(), requireNonNull(result, "result"),
                new Rules());
    }

    /** Creates a type whose result is generic and whose payload is not. */
    public static <P, R> JobType<P, R> of(String name, Class<P> payload, TypeRef<R> result) {
        return new JobType<>(name, requireNonNull(payload, "payload"), requireNonNull(result, "result").type(),
                new Rules());
    }

    /** Creates a type whose jobs have no result. */
    public static <P> JobType<P, Void> of(String name, Class<P> payload) {
        return of(name, payload, Void.class);
    }

    /** Creates a type whose payload is generic and whose jobs have no result. */
    public static <P> JobType<P, Void> of(String name, TypeRef<P> payload) {
        return of(name, payload, Void.class);
    }

    /** Creates a type whose jobs have neither payload nor result. */
    public static JobType<Void, Void> of(String name) {
        return of(name, Void.class, Void.class);
    }

    private JobType<P, R> with(Edit edit) {
        Rules copy = rules.copy();
        edit.apply(copy);
        return new JobType<>(name, payload, result, copy);
    }

    /** Returns a request to run a job of this type; add options, then pass it to {@code pool.submit}. */
    public JobRequest<P, R> with(P value) {
        return JobRequest.of(this, value);
    }

    /**
     * Returns a request without a payload.
     *
     * @throws IllegalArgumentException if the payload of the type is not {@link Void}
     */
    public JobRequest<P, R> withoutPayload() {
        if (!payload.equals(Void.class)) {
            throw new IllegalArgumentException("job type '" + name + "' needs a payload; use with(payload)");
        }
        return JobRequest.of(this, null);
    }

    /** Sets when failed jobs are retried. The default is the pool's policy. */
    public JobType<P, R> retry(RetryPolicy policy) {
        requireNonNull(policy, "policy");
        return with(r -> r.retry = policy);
    }

    /** Sets how long one attempt may take. The default is the pool's timeout, 10 min unless set. */
    public JobType<P, R> timeout(Duration limit) {
        Limits.positive("timeout", limit);
        return with(r -> r.timeout = limit);
    }

    /** Gives the type a circuit breaker. The default is the pool's policy, which has none unless set. */
    public JobType<P, R> breaker(BreakerPolicy policy) {
        requireNonNull(policy, "policy");
        return with(r -> r.breaker = policy);
    }

    /**
     * Sets how long an attempt may be silent, without heartbeat, progress, step or checkpoint, before it times out. The
     * default is for ever.
     */
    public JobType<P, R> stallAfter(Duration silence) {
        Limits.positive("stall time", silence);
        return with(r -> r.stallAfter = silence);
    }

    /** Sets a classifier of exceptions that is asked before {@link FailureClassifier#standard()}. */
    public JobType<P, R> classifier(FailureClassifier first) {
        requireNonNull(first, "first");
        return with(r -> r.classifier = first);
    }

    /** Runs the jobs on the workers of a group. The default is the group {@code default}. */
    public JobType<P, R> group(String workers) {
        Limits.name("worker group", workers);
        return with(r -> r.group = workers);
    }

    /**
     * Keeps the jobs of a session on one worker of the type's group. Give such a type a group of its own. The default
     * is no affinity.
     */
    public JobType<P, R> affinity(Affinity value) {
        requireNonNull(value, "value");
        return with(r -> r.affinity = value);
    }

    /**
     * Sets how long the handler may take to stop before it is interrupted, if that is longer than the pool's own time.
     * A handler that runs a process needs time to end it and to save what it did. The default is the pool's time.
     */
    public JobType<P, R> stopWithin(Duration time) {
        Limits.notNegative("stop time", time);
        return with(r -> r.stopWithin = time);
    }

    /**
     * Limits how many jobs of this type a node runs at once, however many workers are idle. The default is no limit.
     */
    public JobType<P, R> maxConcurrentPerNode(int jobs) {
        Limits.atLeast(1, "maxConcurrentPerNode", jobs);
        return with(r -> r.maxConcurrentPerNode = jobs);
    }

    /**
     * Marks the type as one whose work must not run twice unnoticed. Its start is committed before the handler runs; if
     * the node then crashes and there is no checkpoint, the job becomes a dead letter for a person to decide about.
     */
    public JobType<P, R> nonIdempotent() {
        return with(r -> r.idempotent = false);
    }

    /** Lets children of jobs of this type go on if their parent ends, instead of being cancelled. */
    public JobType<P, R> keepChildren() {
        return with(r -> r.keepsChildren = true);
    }

    /**
     * Lets queries find jobs of this type by values in their payload: after {@code searchable("customer.id")}, the query
     * {@code payload.customer.id:42} finds those with that customer. It applies to jobs that are submitted from then on,
     * and to strings, numbers and booleans of up to {@value Limits#NAME} characters. The default is none.
     *
     * @param paths the names of the fields from the outside in, joined by dots; a number stands for an element of an
     *     array
     */
    public JobType<P, R> searchable(String... paths) {
        Set<String> checked = new LinkedHashSet<>();
        for (String path : paths) {
            if (!SEARCHABLE_PATH.matcher(Limits.name("a searchable path", path)).matches()) {
                throw new IllegalArgumentException("'" + Limits.quoted(path)
                        + "' is not a searchable path; write the names of fields joined by dots, such as customer.id");
            }
            checked.add(path);
        }
        return with(r -> r.searchable = Set.copyOf(checked));
    }

    /** Returns the paths of the values in the payload by which queries find jobs of this type. */
    public Set<String> searchable() {
        return rules.searchable;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    /** Returns the type of the payload. */
    public Type payloadType() {
        return payload;
    }

    /** Returns the type of the result. */
    public Type resultType() {
        return result;
    }

    /** Returns when failed jobs are retried, if set. */
    public Optional<RetryPolicy> retry() {
        return Optional.ofNullable(rules.retry);
    }

    /** Returns how long one attempt may take, if set. */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(rules.timeout);
    }

    /** Returns the policy of the circuit breaker, if set. */
    public Optional<BreakerPolicy> breaker() {
        return Optional.ofNullable(rules.breaker);
    }

    /** Returns how long an attempt may be silent, if set. */
    public Optional<Duration> stallAfter() {
        return Optional.ofNullable(rules.stallAfter);
    }

    /** Returns the classifier of exceptions, if set. */
    public Optional<FailureClassifier> classifier() {
        return Optional.ofNullable(rules.classifier);
    }

    /** Returns the group of workers, if set. */
    public Optional<String> group() {
        return Optional.ofNullable(rules.group);
    }

    /** Returns how long the handler may take to stop, if set. */
    public Optional<Duration> stopWithin() {
        return Optional.ofNullable(rules.stopWithin);
    }

    /** Returns how many jobs a node runs at once, if limited. */
    public Optional<Integer> maxConcurrentPerNode() {
        return Optional.ofNullable(rules.maxConcurrentPerNode);
    }

    /** Returns how strictly the jobs of a session stay on one worker, if set. */
    public Optional<Affinity> affinity() {
        return Optional.ofNullable(rules.affinity);
    }

    /** Returns whether a job may safely run twice. True unless {@link #nonIdempotent} was called. */
    public boolean isIdempotent() {
        return rules.idempotent;
    }

    /** Returns whether children go on if their parent ends. */
    public boolean keepsChildren() {
        return rules.keepsChildren;
    }

    /** Returns the name. */
    @Override
    public String toString() {
        return name;
    }
}
