package dev.heddle.store;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

import dev.heddle.job.IdRange;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.job.JobType;
import dev.heddle.query.Condition;
import dev.heddle.query.Field;
import dev.heddle.query.QueryParser;
import org.jspecify.annotations.Nullable;

/**
 * Conditions and a page of jobs. Start with {@link #all} and add conditions; a job has to meet all of them. Immutable.
 *
 * @param conditions what a job has to meet
 * @param before only jobs submitted before the one with this {@code seq}, as a cursor for the next page; 0 for all
 * @param after only jobs submitted after the one with this {@code seq}, oldest first; null for all, newest first
 * @param limit how many jobs to return at most
 */
public record JobQuery(List<Condition> conditions, long before, @Nullable Long after, int limit) {

    /** How many jobs a query returns unless it says otherwise. */
    public static final int DEFAULT_LIMIT = 100;

    /** Checks the limit and copies the conditions. */
    public JobQuery {
        conditions = conditions.stream().flatMap(Condition::conjuncts).toList();
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1: " + limit);
        }
    }

    /** Returns a query for the newest jobs, up to {@value #DEFAULT_LIMIT} of them. */
    public static JobQuery all() {
        return new JobQuery(List.of(), 0, null, DEFAULT_LIMIT);
    }

    /** Returns a query for the newest jobs that failed for good. */
    public static JobQuery deadLetters() {
        return all().states(JobState.FAILED);
    }

    /**
     * Returns a query for the newest jobs that match a text in the query language, such as
     * {@code state:failed type:mail created:<2h}.
     *
     * @param now what relative times in the text are relative to
     * @throws dev.heddle.query.QuerySyntaxException if the text is not a query
     */
    public static JobQuery parse(String text, Instant now) {
        return all().where(QueryParser.parse(text, now));
    }

    /** Returns a copy for jobs that also meet this condition. */
    public JobQuery where(Condition condition) {
        return with(_ -> false, condition);
    }

    /** Returns a copy for jobs in any of these states, or in any state if there are none. */
    public JobQuery states(JobState... values) {
        return with(Condition.InState.class::isInstance,
                values.length == 0 ? new Condition.All(List.of()) : new Condition.InState(Set.of(values)));
    }

    /** Returns a copy for jobs of a type. */
    public JobQuery type(String value) {
        return is(Field.TYPE, value);
    }

    /** Returns a copy for jobs of a type. */
    public JobQuery type(JobType<?, ?> value) {
        return type(value.name());
    }

    /** Returns a copy for jobs of a queue. */
    public JobQuery queue(String value) {
        return is(Field.QUEUE, value);
    }

    /** Returns a copy for jobs with a subject. */
    public JobQuery subject(String value) {
        return is(Field.SUBJECT, value);
    }

    /** Returns a copy for jobs with a tag. */
    public JobQuery tag(String value) {
        return is(Field.TAG, value);
    }

    private JobQuery is(Field field, String value) {
        return with(old -> old instanceof Condition.Is(Field other, _) && other == field,
                new Condition.Is(field, value));
    }

    /** Returns a copy for the children of a job. */
    public JobQuery parent(JobId value) {
        return idIn(Field.PARENT, new IdRange(value, value));
    }

    /** Returns a copy for jobs with ids in a range. */
    public JobQuery ids(IdRange range) {
        return idIn(Field.ID, range);
    }

    private JobQuery idIn(Field field, IdRange range) {
        return with(old -> old instanceof Condition.IdIn(Field other, _) && other == field,
                new Condition.IdIn(field, range));
    }

    private JobQuery with(Predicate<Condition> replaced, Condition condition) {
        return new JobQuery(
                Stream.concat(conditions.stream().filter(replaced.negate()), Stream.of(condition)).toList(), before,
                after, limit);
    }

    /** Returns a copy for jobs submitted before the one with this {@code seq}; 0 for all. */
    public JobQuery before(long seq) {
        return new JobQuery(conditions, seq, after, limit);
    }

    /**
     * Returns a copy for jobs submitted after the one with this {@code seq}, oldest first; 0 starts with the very
     * first.
     */
    public JobQuery after(long seq) {
        return new JobQuery(conditions, before, seq, limit);
    }

    /** Returns a copy with another limit. */
    public JobQuery limit(int value) {
        return new JobQuery(conditions, before, after, value);
    }
}
