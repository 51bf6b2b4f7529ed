package dev.heddle.store;

import java.util.Set;

import dev.heddle.job.IdRange;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import org.jspecify.annotations.Nullable;

/**
 * A filter and page of jobs. Start with {@link #all} and add conditions; a job has to match all of them. Immutable.
 *
 * @param states any of these states; empty for all
 * @param type the name of the type; null for all
 * @param queue the name of the queue; null for all
 * @param subject the subject; null for all
 * @param tag a tag of the job; null for all
 * @param parent the parent; null for all
 * @param ids a range of ids; null for all
 * @param before only jobs submitted before the one with this {@code seq}, as a cursor for the next page; 0 for all
 * @param after only jobs submitted after the one with this {@code seq}, oldest first; null for all, newest first
 * @param limit how many jobs to return at most
 */
public record JobQuery(Set<JobState> states, @Nullable String type, @Nullable String queue, @Nullable String subject,
        @Nullable String tag, @Nullable JobId parent, @Nullable IdRange ids, long before, @Nullable Long after,
        int limit) {

    /** How many jobs a query returns unless it says otherwise. */
    public static final int DEFAULT_LIMIT = 100;

    /** Checks the limit and copies the states. */
    public JobQuery {
        states = Set.copyOf(states);
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: " + limit);
        }
    }

    /** Returns a query for the newest jobs, up to {@value #DEFAULT_LIMIT} of them. */
    public static JobQuery all() {
        return new JobQuery(Set.of(), null, null, null, null, null, null, 0, null, DEFAULT_LIMIT);
    }

    /** Returns a query for the newest jobs that failed for good. */
    public static JobQuery deadLetters() {
        return all().states(JobState.FAILED);
    }

    /** Returns a copy for jobs in any of these states. */
    public JobQuery states(JobState... values) {
        return new JobQuery(Set.of(values), type, queue, subject, tag, parent, ids, before, after, limit);
    }

    /** Returns a copy for jobs of a type. */
    public JobQuery type(String value) {
        return new JobQuery(states, value, queue, subject, tag, parent, ids, before, after, limit);
    }

    /** Returns a copy for jobs of a type. */
    public JobQuery type(JobType<?, ?> value) {
        return type(value.name());
    }

    /** Returns a copy for jobs of a queue. */
    public JobQuery queue(String value) {
        return new JobQuery(states, type, value, subject, tag, parent, ids, before, after, limit);
    }

    /** Returns a copy for jobs with a subject. */
    public JobQuery subject(String value) {
        return new JobQuery(states, type, queue, value, tag, parent, ids, before, after, limit);
    }

    /** Returns a copy for jobs with a tag. */
    public JobQuery tag(String value) {
        return new JobQuery(states, type, queue, subject, value, parent, ids, before, after, limit);
    }

    /** Returns a copy for the children of a job. */
    public JobQuery parent(JobId value) {
        return new JobQuery(states, type, queue, subject, tag, value, ids, before, after, limit);
    }

    /** Returns a copy for jobs with ids in a range. */
    public JobQuery ids(IdRange range) {
        return new JobQuery(states, type, queue, subject, tag, parent, range, before, after, limit);
    }

    /** Returns a copy for jobs submitted before the one with this {@code seq}. */
    public JobQuery before(long seq) {
        return new JobQuery(states, type, queue, subject, tag, parent, ids, seq, after, limit);
    }

    /**
     * Returns a copy for jobs submitted after the one with this {@code seq}, oldest first; 0 starts with the very
     * first.
     */
    public JobQuery after(long seq) {
        return new JobQuery(states, type, queue, subject, tag, parent, ids, before, seq, limit);
    }

    /** Returns a copy with another limit. */
    public JobQuery limit(int value) {
        return new JobQuery(states, type, queue, subject, tag, parent, ids, before, after, value);
    }
}
