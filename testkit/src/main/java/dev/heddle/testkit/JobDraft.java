package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.heddle.job.Dedupe;
import dev.heddle.job.JobId;
import dev.heddle.job.JobRequest.Start;
import dev.heddle.job.JobSpec;
import dev.heddle.job.LimitKey;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;

/** Builds a job for {@code Store.insert}. A test states only the properties it cares about; the rest have defaults. */
public final class JobDraft {

    /** The default time of submission. */
    public static final Instant CREATED_AT = Instant.parse("2026-03-01T12:00:00Z");

    private final String type;
    private JobId id = JobId.next();
    private String queue = "default";
    private int priority;
    private String payload = "{}";
    private Instant createdAt = CREATED_AT;
    private int capacity = NewJob.UNLIMITED;
    private Set<String> tags = Set.of();
    private Map<String, String> headers = Map.of();
    private boolean outlives;
    private Start start = new Start.AtOnce();
    private @Nullable String key;
    private Dedupe dedupe = Dedupe.whileActive();
    private Map<String, String> searchable = Map.of();
    private @Nullable String subject;
    private @Nullable JobId parent;
    private @Nullable Integer maxRetries;
    private @Nullable Duration timeout;
    private @Nullable String session;
    private final List<LimitKey> limitKeys = new ArrayList<>();

    private JobDraft(String type) {
        this.type = type;
    }

    /** Returns a draft of a job of this type with priority 0 in queue {@code default}. */
    public static JobDraft of(String type) {
        return new JobDraft(type);
    }

    /** Replaces the random id. */
    public JobDraft id(JobId value) {
        id = value;
        return this;
    }

    /** Sets the queue. */
    public JobDraft queue(String value) {
        queue = value;
        return this;
    }

    /** Sets the priority; higher runs first. */
    public JobDraft priority(int value) {
        priority = value;
        return this;
    }

    /** Sets the payload, as JSON text. */
    public JobDraft payload(String json) {
        payload = json;
        return this;
    }

    /** Sets the time of submission; {@link #CREATED_AT} by default. */
    public JobDraft createdAt(Instant value) {
        createdAt = value;
        return this;
    }

    /** Sets the capacity that the queue must not exceed; unlimited by default. */
    public JobDraft capacity(int value) {
        capacity = value;
        return this;
    }

    /** Sets the headers. */
    public JobDraft headers(Map<String, String> values) {
        headers = Map.copyOf(values);
        return this;
    }

    /** Sets the values in the payload by which the job is found. */
    public JobDraft searchable(Map<String, String> values) {
        searchable = Map.copyOf(values);
        return this;
    }

    /** Sets the tags. */
    public JobDraft tags(String... values) {
        tags = Set.of(values);
        return this;
    }

    /** Sets the time before which the job must not be claimed. */
    public JobDraft due(Instant value) {
        start = new Start.At(value);
        return this;
    }

    /** Sets how long after its submission the job must not be claimed. */
    public JobDraft delay(Duration value) {
        start = new Start.After(value);
        return this;
    }

    /** Sets the dedupe key, and what a submit does if it is in use. */
    public JobDraft key(String value, Dedupe mode) {
        key = value;
        dedupe = mode;
        return this;
    }

    /** Sets the dedupe key. */
    public JobDraft key(String value) {
        key = value;
        return this;
    }

    /** Sets the subject. */
    public JobDraft subject(String value) {
        subject = value;
        return this;
    }

    /** Makes the job a child of this one. */
    public JobDraft parent(JobId value) {
        parent = value;
        return this;
    }

    /** Lets the job continue after its parent has ended. */
    public JobDraft outlivesParent() {
        outlives = true;
        return this;
    }

    /** Overrides the retries and the time-out of the job type. */
    public JobDraft limits(int retries, Duration perAttempt) {
        maxRetries = retries;
        timeout = perAttempt;
        return this;
    }

    /** Sets the session, which binds the job to one worker. */
    public JobDraft session(String value) {
        session = value;
        return this;
    }

    /** Adds a limit that covers the job. */
    public JobDraft limit(String name, String key) {
        return limit(name, key, 1);
    }

    /** Adds a limit that covers the job with a weight. */
    public JobDraft limit(String name, String key, int weight) {
        limitKeys.add(new LimitKey(name, key, weight));
        return this;
    }

    /** Returns the id that the job has or will have. */
    public JobId id() {
        return id;
    }

    /** Returns the job type. */
    public String type() {
        return type;
    }

    /** Returns the immutable part of the job. */
    public JobSpec spec() {
        return new JobSpec(id, type, queue, priority, payload, createdAt,
                new JobSpec.Extras(maxRetries, timeout, parent, session, subject, tags, key, dedupe, outlives,
                        headers, List.copyOf(limitKeys), searchable));
    }

    /** Returns the job as {@code Store.insert} takes it. */
    public NewJob job() {
        return new NewJob(spec(), start, capacity);
    }
}
