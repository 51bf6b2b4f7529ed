package dev.heddle.control.model;

import java.util.Set;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Selects jobs. Components that are null match every job.
 *
 * @param states the states to match; null or empty for any
 * @param type the job type
 * @param queue the queue
 * @param subject the subject
 * @param tag a tag of the job
 * @param parent the id of the parent, or an unambiguous prefix of it
 * @param text words that all occur in the agent conversation of one attempt
 * @param q a query that the jobs must match too, such as {@code error:timeout created:<2h}
 * @param cursor {@link JobPage#next} of the previous page; null for the first page
 * @param limit the most jobs to return, from 1 to {@value dev.heddle.control.Control#MOST_LISTED}; null for 100
 */
public record JobFilter(@Nullable Set<JobState> states, @Nullable String type, @Nullable String queue,
        @Nullable String subject, @Nullable String tag, @Nullable String parent, @Nullable String text,
        @Nullable String q, @Nullable String cursor, @Nullable Integer limit) {

    /** Matches every job. */
    public static final JobFilter ALL = new JobFilter(null, null, null, null, null, null, null, null, null, null);

    /** Returns the same filter for jobs in any of these states. */
    public JobFilter states(JobState... values) {
        return new JobFilter(Set.of(values), type, queue, subject, tag, parent, text, q, cursor, limit);
    }

    /** Returns the same filter for jobs of this type. */
    public JobFilter type(String value) {
        return new JobFilter(states, value, queue, subject, tag, parent, text, q, cursor, limit);
    }

    /** Returns the same filter for jobs in this queue. */
    public JobFilter queue(String value) {
        return new JobFilter(states, type, value, subject, tag, parent, text, q, cursor, limit);
    }

    /** Returns the same filter for jobs with this subject. */
    public JobFilter subject(String value) {
        return new JobFilter(states, type, queue, value, tag, parent, text, q, cursor, limit);
    }

    /** Returns the same filter for jobs with this tag. */
    public JobFilter tag(String value) {
        return new JobFilter(states, type, queue, subject, value, parent, text, q, cursor, limit);
    }

    /** Returns the same filter for children of this job. */
    public JobFilter parent(String value) {
        return new JobFilter(states, type, queue, subject, tag, value, text, q, cursor, limit);
    }

    /** Returns the same filter for jobs whose agent conversation contains these words; null for any. */
    public JobFilter text(@Nullable String value) {
        return new JobFilter(states, type, queue, subject, tag, parent, value, q, cursor, limit);
    }

    /** Returns the same filter for jobs that also match this query; null for any. */
    public JobFilter q(@Nullable String value) {
        return new JobFilter(states, type, queue, subject, tag, parent, text, value, cursor, limit);
    }

    /** Returns the same filter for the page at this cursor; null for the first page. */
    public JobFilter cursor(@Nullable String value) {
        return new JobFilter(states, type, queue, subject, tag, parent, text, q, value, limit);
    }

    /** Returns the same filter with this limit. */
    public JobFilter limit(int value) {
        return new JobFilter(states, type, queue, subject, tag, parent, text, q, cursor, value);
    }
}
