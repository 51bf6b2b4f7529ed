package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.Set;

import dev.heddle.job.JobId;
import dev.heddle.job.JobSpec;
import dev.heddle.store.NewJob;
import org.jspecify.annotations.Nullable;

/** A job to be stored, with only what its test cares about spelled out. */
final class Draft {

    private final String type;
    private JobId id = JobId.next();
    private String queue = "default";
    private int priority;
    private String payload = "{}";
    private Instant createdAt = StoreFixture.T0;
    private int capacity = NewJob.UNLIMITED;
    private Set<String> tags = Set.of();
    private boolean outlives;
    @Nullable private Instant dueAt;
    @Nullable private String key;
    @Nullable private String subject;
    @Nullable private JobId parent;
    @Nullable private Integer maxRetries;
    @Nullable private Duration timeout;
    @Nullable private String session;

    private Draft(String type) {
        this.type = type;
    }

    static Draft of(String type) {
        return new Draft(type);
    }

    Draft id(JobId value) {
        id = value;
        return this;
    }

    Draft queue(String value) {
        queue = value;
        return this;
    }

    Draft priority(int value) {
        priority = value;
        return this;
    }

    Draft payload(String json) {
        payload = json;
        return this;
    }

    Draft createdAt(Instant value) {
        createdAt = value;
        return this;
    }

    Draft capacity(int value) {
        capacity = value;
        return this;
    }

    Draft tags(String... values) {
        tags = Set.of(values);
        return this;
    }

    Draft due(Instant value) {
        dueAt = value;
        return this;
    }

    Draft key(String value) {
        key = value;
        return this;
    }

    Draft subject(String value) {
        subject = value;
        return this;
    }

    Draft parent(JobId value) {
        parent = value;
        return this;
    }

    Draft outlivesParent() {
        outlives = true;
        return this;
    }

    Draft limits(int retries, Duration perAttempt) {
        maxRetries = retries;
        timeout = perAttempt;
        return this;
    }

    Draft session(String value) {
        session = value;
        return this;
    }

    JobId id() {
        return id;
    }

    String type() {
        return type;
    }

    JobSpec spec() {
        return new JobSpec(id, type, queue, priority, payload, createdAt,
                new JobSpec.Extras(maxRetries, timeout, parent, session, subject, tags, key, outlives));
    }

    NewJob job() {
        return new NewJob(spec(), dueAt, capacity);
    }
}
