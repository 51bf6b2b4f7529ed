package dev.heddle.job;

import java.time.Duration;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * A name bound to a payload type and a result type, with the rules its jobs run by. Declare one as a constant,
 * submit with it and hand it to the pool together with its handler. What is left unset comes from the pool.
 *
 * {@snippet :
 * static final JobType<Greeting, String> GREET = JobType.of("greet", Greeting.class, String.class)
 *         .timeout(Duration.ofMinutes(1));
 * }
 */
public final class JobType<P, R> {

    private final String name;
    private final Class<P> payload;
    private final Class<R> result;
    private final Rules rules;

    /** Mutable only while {@link #with(Edit)} builds a copy; one field per rule, so that a rule is one line. */
    private static final class Rules implements Cloneable {
        @Nullable RetryPolicy retry;
        @Nullable Duration timeout;
        @Nullable BreakerPolicy breaker;
        @Nullable Duration stallAfter;
        @Nullable FailureClassifier classifier;
        @Nullable String group;
        @Nullable Duration stopWithin;
        @Nullable Integer atMost;
        @Nullable Affinity affinity;
        boolean idempotent = true;
        boolean keepsChildren;

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

    private JobType(String name, Class<P> payload, Class<R> result, Rules rules) {
        this.name = Checks.name("job type", name);
        this.payload = payload;
        this.result = result;
        this.rules = rules;
    }

    /** Payload and result travel as JSON; records and plain classes both work. */
    public static <P, R> JobType<P, R> of(String name, Class<P> payload, Class<R> result) {
        return new JobType<>(name, payload, result, new Rules());
    }

    /** A type whose jobs have no result. */
    public static <P> JobType<P, Void> of(String name, Class<P> payload) {
        return of(name, payload, Void.class);
    }

    private JobType<P, R> with(Edit edit) {
        Rules copy = rules.copy();
        edit.apply(copy);
        return new JobType<>(name, payload, result, copy);
    }

    /** A submission of this type; add options, then hand it to {@code pool.submit}. */
    public JobRequest<P, R> with(P value) {
        return JobRequest.of(this, value);
    }

    public JobType<P, R> retry(RetryPolicy policy) {
        return with(r -> r.retry = policy);
    }

    /** The most one attempt may take. */
    public JobType<P, R> timeout(Duration limit) {
        Checks.positive("timeout", limit);
        return with(r -> r.timeout = limit);
    }

    public JobType<P, R> breaker(BreakerPolicy policy) {
        return with(r -> r.breaker = policy);
    }

    /** An attempt that is silent for this long is handled as a time-out. */
    public JobType<P, R> stallAfter(Duration silence) {
        Checks.positive("stall time", silence);
        return with(r -> r.stallAfter = silence);
    }

    /** Asked first for the category of an exception; {@link FailureClassifier#standard()} is asked next. */
    public JobType<P, R> classifier(FailureClassifier first) {
        return with(r -> r.classifier = first);
    }

    /** Runs on the workers of this group instead of the default one. */
    public JobType<P, R> group(String workers) {
        Checks.name("worker group", workers);
        return with(r -> r.group = workers);
    }

    /** Keeps the jobs of a session on one worker of the group, which is then better the type's own. */
    public JobType<P, R> affinity(Affinity howFirmly) {
        return with(r -> r.affinity = howFirmly);
    }

    /**
     * How long its handler may take to stop once it is told to, before it is interrupted, where that is longer than the
     * pool's own time: a process needs time to end, and what it did has to be saved.
     */
    public JobType<P, R> stopWithin(Duration time) {
        Checks.notNegative("stop time", time);
        return with(r -> r.stopWithin = time);
    }

    /** The most jobs of this type that a node has in hand at once, however many workers are free. */
    public JobType<P, R> atMost(int jobs) {
        if (jobs < 1) {
            throw new IllegalArgumentException("at most 0 jobs at once would be none at all: " + jobs);
        }
        return with(r -> r.atMost = jobs);
    }

    /**
     * Marks a type whose work must not silently run twice: its start is committed before the handler runs, and
     * after a crash without a checkpoint a person decides (a dead letter "orphaned").
     */
    public JobType<P, R> nonIdempotent() {
        return with(r -> r.idempotent = false);
    }

    /** Children that are still at work when their parent of this type ends go on, instead of being cancelled. */
    public JobType<P, R> keepChildren() {
        return with(r -> r.keepsChildren = true);
    }

    public String name() {
        return name;
    }

    public Class<P> payloadType() {
        return payload;
    }

    public Class<R> resultType() {
        return result;
    }

    public Optional<RetryPolicy> retry() {
        return Optional.ofNullable(rules.retry);
    }

    public Optional<Duration> timeout() {
        return Optional.ofNullable(rules.timeout);
    }

    public Optional<BreakerPolicy> breaker() {
        return Optional.ofNullable(rules.breaker);
    }

    public Optional<Duration> stallAfter() {
        return Optional.ofNullable(rules.stallAfter);
    }

    public Optional<FailureClassifier> classifier() {
        return Optional.ofNullable(rules.classifier);
    }

    public Optional<String> group() {
        return Optional.ofNullable(rules.group);
    }

    public Optional<Duration> stopWithin() {
        return Optional.ofNullable(rules.stopWithin);
    }

    public Optional<Integer> atMost() {
        return Optional.ofNullable(rules.atMost);
    }

    /** How firmly sessions keep to a worker; empty where they do not. */
    public Optional<Affinity> affinity() {
        return Optional.ofNullable(rules.affinity);
    }

    public boolean isIdempotent() {
        return rules.idempotent;
    }

    public boolean keepsChildren() {
        return rules.keepsChildren;
    }

    @Override
    public String toString() {
        return name;
    }
}
