package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What was asked for. Never changes once stored.
 *
 * @param payload JSON
 * @param extras what most jobs do not set
 */
public record JobSpec(JobId id, String type, String queue, int priority, String payload, Instant createdAt,
        Extras extras) {

    /**
     * The options that most jobs leave unset.
     *
     * @param outlivesParent whether the end of its parent leaves it alone, instead of cancelling it
     */
    public record Extras(@Nullable Integer maxRetries, @Nullable Duration timeout, @Nullable JobId parent,
            @Nullable String session, @Nullable String subject, Set<String> tags,
            @Nullable String dedupeKey, boolean outlivesParent) {

        public static final Extras NONE = new Extras(null, null, null, null, null, Set.of(), null, false);
    }

    public Optional<Duration> timeout() {
        return Optional.ofNullable(extras.timeout);
    }

    public Optional<JobId> parent() {
        return Optional.ofNullable(extras.parent);
    }

    public Optional<String> session() {
        return Optional.ofNullable(extras.session);
    }

    public Optional<String> subject() {
        return Optional.ofNullable(extras.subject);
    }

    public Optional<String> dedupeKey() {
        return Optional.ofNullable(extras.dedupeKey);
    }

    public Set<String> tags() {
        return extras.tags;
    }

    /** The retries this job gets: its own number where it has one, else the policy's. */
    public int retries(RetryPolicy policy) {
        return extras.maxRetries == null ? policy.maxRetries() : extras.maxRetries;
    }
}
