package dev.heddle.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import dev.heddle.job.Attempt;
import dev.heddle.job.Failure;
import dev.heddle.job.IdRange;
import dev.heddle.job.Job;
import dev.heddle.job.JobId;
import dev.heddle.job.JobState;
import dev.heddle.schedule.Schedule;
import org.jspecify.annotations.Nullable;

/**
 * What conditions are about, for a store that has it in memory.
 *
 * @param job the job
 * @param node the node that holds it; null if none does
 * @param startedAt when the handler of its current attempt started; null if it has not
 * @param attempts the attempts that are over, oldest first
 */
public record JobFacts(Job job, @Nullable String node, @Nullable Instant startedAt, List<Attempt> attempts) {

    /** Returns whether the job matches. */
    public boolean match(Condition condition) {
        return switch (condition) {
            case Condition.All(var conditions) -> conditions.stream().allMatch(this::match);
            case Condition.Any(var conditions) -> conditions.stream().anyMatch(this::match);
            case Condition.Not(var negated) -> !match(negated);
            case Condition.InState(var states) -> states.contains(job.state());
            case Condition.Is(Field field, String text) -> is(field, text);
            case Condition.Contains(Field field, String text) ->
                text(field).filter(found -> lowerCase(found).contains(lowerCase(text))).isPresent();
            case Condition.IdIn(Field field, IdRange range) -> id(field).filter(range::contains).isPresent();
            case Condition.During(Field field, Instant from, Instant until) -> {
                Instant time = time(field);
                yield time != null && (from == null || !time.isBefore(from)) && (until == null || time.isBefore(until));
            }
            case Condition.Between(Field field, long min, long max) -> {
                long number = field == Field.PRIORITY ? job.spec().priority() : job.counts().attempt();
                yield min <= number && number <= max;
            }
            case Condition.Ran(long min, long max, Instant now) -> {
                Long millis = runMillis(now);
                yield millis != null && min <= millis && millis <= max;
            }
            case Condition.Header(String name, String value) -> value.equals(job.spec().headers().get(name));
            case Condition.Payload(String path, String value) ->
                value.equals(job.spec().extras().searchable().get(path));
        };
    }

    /** Returns the text with the letters A to Z in lower case, as every store compares parts of texts. */
    public static String lowerCase(String text) {
        return text.chars().anyMatch(c -> 'A' <= c && c <= 'Z')
                ? text.chars().map(c -> 'A' <= c && c <= 'Z' ? c + 32 : c)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append).toString()
                : text;
    }

    private boolean is(Field field, String text) {
        return switch (field) {
            case TYPE -> text.equals(job.type());
            case QUEUE -> text.equals(job.queue());
            case TAG -> job.spec().tags().contains(text);
            case SUBJECT -> text.equals(job.spec().extras().subject());
            case SESSION -> text.equals(job.spec().extras().session());
            case KEY -> text.equals(job.spec().extras().dedupeKey());
            case SCHEDULE -> text.equals(job.spec().headers().get(Schedule.NAME_HEADER));
            case NODE -> text.equals(node) || attempts.stream().anyMatch(attempt -> text.equals(attempt.node()));
            case STATE, ID, PARENT, CREATED, STARTED, ENDED, ATTEMPTS, PRIORITY, DURATION, ERROR, REASON ->
                throw notOf(field, Field.Kind.TEXT);
        };
    }

    private Optional<String> text(Field field) {
        boolean hasFailure = job.state() != JobState.COMPLETED && job.state() != JobState.CANCELLED;
        return field == Field.ERROR ? job.failure().filter(_ -> hasFailure).map(Failure::message) : job.reason();
    }

    private Optional<JobId> id(Field field) {
        return field == Field.PARENT ? job.spec().parent() : Optional.of(job.id());
    }

    private @Nullable Instant time(Field field) {
        return switch (field) {
            case CREATED -> job.spec().createdAt();
            case ENDED -> job.status().endedAt();
            case STARTED -> startedAt != null ? startedAt
                    : lastStarted().map(Attempt::startedAt).orElse(null);
            case STATE, TYPE, QUEUE, TAG, SUBJECT, SESSION, KEY, SCHEDULE, NODE, ID, PARENT, ATTEMPTS, PRIORITY,
                    DURATION, ERROR, REASON ->
                throw notOf(field, Field.Kind.TIME);
        };
    }

    private @Nullable Long runMillis(Instant now) {
        if (startedAt != null) {
            return Duration.between(startedAt, now).toMillis();
        }
        return lastStarted().map(attempt -> Duration
                .between(Objects.requireNonNull(attempt.startedAt()), attempt.endedAt()).toMillis()).orElse(null);
    }

    private Optional<Attempt> lastStarted() {
        return attempts.stream().filter(attempt -> attempt.startedAt() != null).reduce((_, last) -> last);
    }

    private static IllegalArgumentException notOf(Field field, Field.Kind kind) {
        return new IllegalArgumentException(
                "field '" + field.word() + "' is not of the kind " + kind.name().toLowerCase(Locale.ROOT));
    }
}
