package dev.heddle.store;

import java.util.Set;

import dev.heddle.job.IdRange;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs, newest first, or oldest first where {@code after} is given. What is null does not filter.
 *
 * @param states empty for any
 * @param before only jobs submitted before this {@code seq}: the cursor for the next page; 0 for the newest
 * @param after only jobs submitted after this {@code seq}, and oldest first; null for newest first
 * @param limit the most jobs
 */
public record JobQuery(Set<JobState> states, @Nullable String type, @Nullable String queue,
        @Nullable String subject, @Nullable String tag, @Nullable JobId parent, @Nullable IdRange ids,
        long before, @Nullable Long after, int limit) {

    public static final int DEFAULT_LIMIT = 100;

    public JobQuery {
        states = Set.copyOf(states);
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: " + limit);
        }
    }

    public static JobQuery all() {
        return new JobQuery(Set.of(), null, null, null, null, null, null, 0, null, DEFAULT_LIMIT);
    }

    public static JobQuery deadLetters() {
        return all().states(JobState.FAILED);
    }

    public JobQuery states(JobState... values) {
        return new JobQuery(Set.of(values), type, queue, subject, tag, parent, ids, before, after, limit);
    }

    public JobQuery type(String value) {
        return new JobQuery(states, value, queue, subject, tag, parent, ids, before, after, limit);
    }

    public JobQuery type(JobType<?, ?> value) {
        return type(value.name());
    }

    public JobQuery queue(String value) {
        return new JobQuery(states, type, value, subject, tag, parent, ids, before, after, limit);
    }

    public JobQuery subject(String value) {
        return new JobQuery(states, type, queue, value, tag, parent, ids, before, after, limit);
    }

    public JobQuery tag(String value) {
        return new JobQuery(states, type, queue, subject, value, parent, ids, before, after, limit);
    }

    public JobQuery parent(JobId value) {
        return new JobQuery(states, type, queue, subject, tag, value, ids, before, after, limit);
    }

    public JobQuery ids(IdRange range) {
        return new JobQuery(states, type, queue, subject, tag, parent, range, before, after, limit);
    }

    public JobQuery before(long seq) {
        return new JobQuery(states, type, queue, subject, tag, parent, ids, seq, after, limit);
    }

    /** The other way round: oldest first, from the job after this one; 0 for the very first. */
    public JobQuery after(long seq) {
        return new JobQuery(states, type, queue, subject, tag, parent, ids, before, seq, limit);
    }

    public JobQuery limit(int value) {
        return new JobQuery(states, type, queue, subject, tag, parent, ids, before, after, value);
    }
}
