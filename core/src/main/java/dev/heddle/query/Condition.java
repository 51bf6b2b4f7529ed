package dev.heddle.query;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import dev.heddle.job.IdRange;
import dev.heddle.job.JobState;
import org.jspecify.annotations.Nullable;

/** What a query asks of a job. */
public sealed interface Condition {

    /**
     * All of these hold.
     *
     * @param conditions the conditions; a job matches if there are none
     */
    record All(List<Condition> conditions) implements Condition {
        /** Copies the list. */
        public All {
            conditions = List.copyOf(conditions);
        }
    }

    /**
     * At least one of these holds.
     *
     * @param conditions the conditions
     */
    record Any(List<Condition> conditions) implements Condition {
        /** Copies the list. */
        public Any {
            conditions = List.copyOf(conditions);
        }
    }

    /**
     * The condition does not hold.
     *
     * @param condition the condition
     */
    record Not(Condition condition) implements Condition {}

    /**
     * The job is in one of these states.
     *
     * @param states the states
     */
    record InState(Set<JobState> states) implements Condition {
        /** Copies the states. */
        public InState {
            states = Set.copyOf(states);
        }
    }

    /**
     * A field has this text.
     *
     * @param field a field of the kind TEXT
     * @param text the text
     */
    record Is(Field field, String text) implements Condition {}

    /**
     * A field contains this text; the case of the letters A to Z does not matter.
     *
     * @param field a field of the kind PART
     * @param text the text
     */
    record Contains(Field field, String text) implements Condition {}

    /**
     * An id is in a range.
     *
     * @param field a field of the kind ID
     * @param range the range
     */
    record IdIn(Field field, IdRange range) implements Condition {
        /** Returns whether only one id is in the range. */
        public boolean isOne() {
            return range.first().equals(range.last());
        }
    }

    /**
     * A time is in a range.
     *
     * @param field a field of the kind TIME
     * @param from the first time in the range; null for any
     * @param until the first time after it; null for any
     */
    record During(Field field, @Nullable Instant from, @Nullable Instant until) implements Condition {}

    /**
     * A number is in a range.
     *
     * @param field a field of the kind NUMBER
     * @param min the smallest number in the range
     * @param max the largest one
     */
    record Between(Field field, long min, long max) implements Condition {}

    /**
     * The last attempt that started ran this long, or has run this long by now.
     *
     * @param minMillis at least
     * @param maxMillis at most
     * @param now the time until which an attempt that still runs counts
     */
    record Ran(long minMillis, long maxMillis, Instant now) implements Condition {}

    /**
     * A header has this value.
     *
     * @param name the header
     * @param value its value
     */
    record Header(String name, String value) implements Condition {}

    /**
     * The payload has this value at a path that the job's type declares as searchable.
     *
     * @param path the path, such as {@code customer.id}
     * @param value the value as text
     */
    record Payload(String path, String value) implements Condition {}

    /** Returns the conditions that must all hold, which is this one unless it is an {@link All}. */
    default Stream<Condition> conjuncts() {
        return this instanceof All(var conditions) ? conditions.stream().flatMap(Condition::conjuncts)
                : Stream.of(this);
    }

    /**
     * Returns what stores have no index for: the names of fields, and {@code or} and {@code not}. If it is empty, a
     * store finds the jobs without reading others.
     */
    default Set<String> withoutIndex() {
        Set<String> words = new LinkedHashSet<>();
        collectWithoutIndex(this, words);
        return words;
    }

    private static void collectWithoutIndex(Condition condition, Set<String> words) {
        switch (condition) {
            case All(var conditions) -> conditions.forEach(each -> collectWithoutIndex(each, words));
            case Any(var conditions) -> {
                words.add("or");
                conditions.forEach(each -> collectWithoutIndex(each, words));
            }
            case Not(var negated) -> {
                words.add("not");
                collectWithoutIndex(negated, words);
            }
            case Is(var field, _) -> add(field, words);
            case Contains(var field, _) -> add(field, words);
            case IdIn(var field, _) -> add(field, words);
            case During(var field, _, _) -> add(field, words);
            case Between(var field, _, _) -> add(field, words);
            case Ran _ -> add(Field.DURATION, words);
            case Header(var name, _) -> words.add(Field.HEADER_PREFIX + name);
            case InState _, Payload _ -> {
            }
        }
    }

    private static void add(Field field, Set<String> words) {
        if (!field.isIndexed()) {
            words.add(field.word());
        }
    }
}
