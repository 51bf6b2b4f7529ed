package dev.heddle.control;

import java.util.Set;

import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/**
 * Which jobs. What is null does not filter.
 *
 * @param states empty or null for any
 * @param parent the id of their parent
 * @param text words that were all said in one attempt, by an agent or to it
 * @param cursor {@link JobPage#next} of the page before; null for the newest
 * @param limit from 1 to {@value Control#MOST_LISTED}; null for 100
 */
public record JobFilter(@Nullable Set<JobState> states, @Nullable String type, @Nullable String queue,
        @Nullable String subject, @Nullable String tag, @Nullable String parent, @Nullable String text,
        @Nullable String cursor, @Nullable Integer limit) {

    public static final JobFilter ALL = new JobFilter(null, null, null, null, null, null, null, null, null);

    public JobFilter states(JobState... values) {
        return new JobFilter(Set.of(values), type, queue, subject, tag, parent, text, cursor, limit);
    }

    public JobFilter type(String value) {
        return new JobFilter(states, value, queue, subject, tag, parent, text, cursor, limit);
    }

    public JobFilter queue(String value) {
        return new JobFilter(states, type, value, subject, tag, parent, text, cursor, limit);
    }

    public JobFilter subject(String value) {
        return new JobFilter(states, type, queue, value, tag, parent, text, cursor, limit);
    }

    public JobFilter tag(String value) {
        return new JobFilter(states, type, queue, subject, value, parent, text, cursor, limit);
    }

    public JobFilter parent(String value) {
        return new JobFilter(states, type, queue, subject, tag, value, text, cursor, limit);
    }

    public JobFilter text(@Nullable String value) {
        return new JobFilter(states, type, queue, subject, tag, parent, value, cursor, limit);
    }

    public JobFilter cursor(@Nullable String value) {
        return new JobFilter(states, type, queue, subject, tag, parent, text, value, limit);
    }

    public JobFilter limit(int value) {
        return new JobFilter(states, type, queue, subject, tag, parent, text, cursor, value);
    }
}
