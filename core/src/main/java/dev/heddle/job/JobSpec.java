package dev.heddle.job;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * What was submitted. It never changes once stored.
 *
 * @param id the id of the job
 * @param type the name of its type
 * @param queue the name of its queue
 * @param priority larger values run first
 * @param payload the payload as JSON
 * @param createdAt when it was submitted
 * @param extras the options that most jobs leave unset
 */
public record JobSpec(JobId id, String type, String queue, int priority, String payload, Instant createdAt,
        Extras extras) {

    /**
     * The options that most jobs leave unset.
     *
     * @param maxRetries how often the job is retried; null for the type's policy
     * @param timeout how long one attempt may take; null for the type's
     * @param parent the parent of the job; null if it has none
     * @param session the session of the job; null if it has none
     * @param subject what the job is about; null if unset
     * @param tags the tags of the job
     * @param dedupeKey the key that only one live job of the type may have; null if unset
     * @param dedupe what a submit does if its key is in use; {@link Dedupe#whileActive} for jobs without a key
     * @param outlivesParent whether the job goes on if its parent ends, instead of being cancelled
     * @param headers what the submitter passes along beside the payload, such as a trace id
     * @param limits the limits that cover the job, with their keys
     * @param searchable the values in the payload by which the job is found, by their paths
     */
    public record Extras(@Nullable Integer maxRetries, @Nullable Duration timeout, @Nullable JobId parent,
            @Nullable String session, @Nullable String subject, Set<String> tags, @Nullable String dedupeKey,
            Dedupe dedupe, boolean outlivesParent, Map<String, String> headers, List<LimitKey> limits,
            Map<String, String> searchable) {

        /** No option is set. */
        public static final Extras NONE = new Extras(null, null, null, null, null, Set.of(), null,
                Dedupe.whileActive(), false, Map.of(), List.of(), Map.of());

        /** Copies the collections, so that nobody can change a stored job. */
        public Extras {
            tags = Set.copyOf(tags);
            headers = Map.copyOf(headers);
            limits = List.copyOf(limits);
            searchable = Map.copyOf(searchable);
        }

        private Extras withLimits(List<LimitKey> keys) {
            return new Extras(maxRetries, timeout, parent, session, subject, tags, dedupeKey, dedupe, outlivesParent,
                    headers, keys, searchable);
        }

        /** Returns the same options with other headers. */
        public Extras withHeaders(Map<String, String> others) {
            return new Extras(maxRetries, timeout, parent, session, subject, tags, dedupeKey, dedupe, outlivesParent,
                    others, limits, searchable);
        }

        private Extras withSearchable(Map<String, String> values) {
            return new Extras(maxRetries, timeout, parent, session, subject, tags, dedupeKey, dedupe, outlivesParent,
                    headers, limits, values);
        }
    }

    /** Returns how long one attempt may take, if the job says so. */
    public Optional<Duration> timeout() {
        return Optional.ofNullable(extras.timeout);
    }

    /** Returns the parent of the job, if it has one. */
    public Optional<JobId> parent() {
        return Optional.ofNullable(extras.parent);
    }

    /** Returns the session of the job, if it has one. */
    public Optional<String> session() {
        return Optional.ofNullable(extras.session);
    }

    /** Returns what the job is about, if it says so. */
    public Optional<String> subject() {
        return Optional.ofNullable(extras.subject);
    }

    /** Returns the key that only one live job of the type may have, if the job has one. */
    public Optional<String> dedupeKey() {
        return Optional.ofNullable(extras.dedupeKey);
    }

    /** Returns what a submit does if its dedupe key is in use. */
    public Dedupe dedupe() {
        return extras.dedupe;
    }

    /** Returns the tags of the job. */
    public Set<String> tags() {
        return extras.tags;
    }

    /** Returns what the submitter passed along beside the payload. */
    public Map<String, String> headers() {
        return extras.headers;
    }

    /** Returns the limits that cover the job, with their keys. */
    public List<LimitKey> limits() {
        return extras.limits;
    }

    /** Returns the same job, covered by these limits. */
    public JobSpec withLimits(List<LimitKey> keys) {
        return new JobSpec(id, type, queue, priority, payload, createdAt, extras.withLimits(keys));
    }

    /** Returns the same job in another place: with this queue and this priority. */
    public JobSpec placed(String otherQueue, int otherPriority) {
        return new JobSpec(id, type, otherQueue, otherPriority, payload, createdAt, extras);
    }

    /** Returns the same job, which is found by these values in its payload. */
    public JobSpec withSearchable(Map<String, String> values) {
        return new JobSpec(id, type, queue, priority, payload, createdAt, extras.withSearchable(values));
    }

    /**
     * Returns this job with the payload and options of a newer submission. It keeps its id, the time of its submit, and
     * its parent.
     */
    public JobSpec replacedBy(JobSpec newer) {
        Extras options = newer.extras;
        return new JobSpec(id, newer.type, newer.queue, newer.priority, newer.payload, createdAt,
                new Extras(options.maxRetries, options.timeout, extras.parent, options.session, options.subject,
                        options.tags, options.dedupeKey, options.dedupe, extras.outlivesParent, options.headers,
                        options.limits, options.searchable));
    }

    /** Returns how often the job is retried: its own number if it has one, the policy's if not. */
    public int maxRetries(RetryPolicy policy) {
        return extras.maxRetries == null ? policy.maxRetries() : extras.maxRetries;
    }
}
