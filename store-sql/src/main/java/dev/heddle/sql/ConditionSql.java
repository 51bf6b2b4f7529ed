package dev.heddle.sql;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import dev.heddle.job.JobRequest;
import dev.heddle.job.JobState;
import dev.heddle.query.Condition;
import dev.heddle.query.Field;
import dev.heddle.query.JobFacts;
import dev.heddle.schedule.Schedule;

/**
 * Translates conditions to SQL, with the tables {@code job} as {@code j}, {@code live} as {@code l} and {@code ended}
 * as {@code e}. Their parameters are in {@link #parameters}, in the order of the translations.
 */
final class ConditionSql {

    /** The state of a job, wherever it is. */
    private static final String STATE = "coalesce(l.state, e.state)";

    private static final String LAST_STARTED = " FROM heddle.every_attempt a"
            + " WHERE a.seq = j.seq AND a.started_at IS NOT NULL ORDER BY a.number DESC LIMIT 1)";

    private final Dialect dialect;
    private final List<Object> parameters = new ArrayList<>();

    ConditionSql(Dialect dialect) {
        this.dialect = dialect;
    }

    Dialect dialect() {
        return dialect;
    }

    List<Object> parameters() {
        return parameters;
    }

    /** Adds a parameter and returns the SQL for it. */
    String parameter(Object value) {
        parameters.add(value);
        return "?";
    }

    String translate(Condition condition) {
        return switch (condition) {
            case Condition.All(var conditions) -> joined(conditions, " AND ", "1 = 1");
            case Condition.Any(var conditions) -> joined(conditions, " OR ", "1 = 0");
            // What is null is not true either.
            case Condition.Not(var negated) -> "(" + translate(negated) + ") IS NOT TRUE";
            case Condition.InState(var states) -> column(states) + " IN (" + names(states) + ")";
            case Condition.Is(Field field, String text) -> is(field, text);
            case Condition.Contains(Field field, String text) -> contains(field, text);
            case Condition.IdIn range -> ids(range);
            case Condition.During range -> during(range);
            case Condition.Between(Field field, long min, long max) ->
                (field == Field.PRIORITY ? "j.priority" : "coalesce(l.attempt, e.attempt)") + " BETWEEN "
                        + parameter(min) + " AND " + parameter(max);
            case Condition.Ran ran -> {
                String since = dialect.millisBetween("l.started_at", parameter(ran.now()) + dialect.asTime());
                yield "coalesce(" + since + ", (SELECT " + dialect.millisBetween("a.started_at", "a.ended_at")
                        + LAST_STARTED + ") BETWEEN " + parameter(ran.minMillis()) + " AND "
                        + parameter(ran.maxMillis());
            }
            case Condition.Header(String name, String value) -> header(name, value);
            case Condition.Payload(String path, String value) -> "EXISTS (SELECT 1 FROM heddle.payload_value p"
                    + " WHERE p.path = " + parameter(path) + " AND p.value = " + parameter(value)
                    + " AND p.seq = j.seq)";
        };
    }

    private String joined(Collection<Condition> conditions, String word, String none) {
        return conditions.isEmpty() ? none
                : conditions.stream().map(this::translate).collect(Collectors.joining(word, "(", ")"));
    }

    /** Returns the state of jobs of which some are in these states. Cancelled jobs may be in both tables. */
    private static String column(Set<JobState> states) {
        if (states.stream().noneMatch(JobState::isFinal)) {
            return "l.state";
        }
        return states.stream().allMatch(state -> state == JobState.FAILED || state == JobState.COMPLETED) ? "e.state"
                : STATE;
    }

    /** Returns names as constants, not as parameters: partial indexes match only constants. */
    static String names(Set<JobState> states) {
        return states.isEmpty() ? "NULL"
                : EnumSet.copyOf(states).stream().map(state -> "'" + state + "'").collect(Collectors.joining(", "));
    }

    private String is(Field field, String text) {
        return switch (field) {
            case TYPE -> "j.type = " + parameter(text);
            case QUEUE -> "j.queue = " + parameter(text)
                    + (text.equals(JobRequest.DEFAULT_QUEUE) ? "" : " AND j.queue <> 'default'");
            case TAG -> "EXISTS (SELECT 1 FROM heddle.tag t WHERE t.name = " + parameter(text) + " AND t.seq = j.seq)";
            case SUBJECT -> "j.subject = " + parameter(text);
            case SESSION -> "j.session = " + parameter(text);
            case KEY -> "j.dedupe_key = " + parameter(text);
            case SCHEDULE -> header(Schedule.NAME_HEADER, text);
            case NODE -> "(l.node = " + parameter(text) + " OR EXISTS (SELECT 1 FROM heddle.every_attempt a"
                    + " WHERE a.seq = j.seq AND a.node = " + parameter(text) + "))";
            case STATE, ID, PARENT, CREATED, STARTED, ENDED, ATTEMPTS, PRIORITY, DURATION, ERROR, REASON ->
                throw new IllegalArgumentException("field '" + field.word() + "' is not a text");
        };
    }

    private String header(String name, String value) {
        return "j.headers ->> " + parameter(name) + " = " + parameter(value);
    }

    private String contains(Field field, String text) {
        if (field == Field.REASON) {
            return "(" + STATE + " IN ('PAUSED', 'FAILED', 'CANCELLED') AND "
                    + dialect.contains("coalesce(l.reason, e.reason)", parameter(JobFacts.lowerCase(text))) + ")";
        }
        return "(" + STATE + " NOT IN ('COMPLETED', 'CANCELLED') AND " + dialect.contains(
                "(SELECT a.failure ->> 'message' FROM heddle.attempt a WHERE a.seq = j.seq AND a.failure IS NOT NULL"
                        + " ORDER BY a.number DESC LIMIT 1)",
                parameter(JobFacts.lowerCase(text))) + ")";
    }

    private String ids(Condition.IdIn condition) {
        String column = condition.field() == Field.PARENT ? "j.parent" : "j.id";
        return condition.isOne() ? column + " = " + parameter(condition.range().first())
                : column + " >= " + parameter(condition.range().first()) + " AND " + column + " <= "
                        + parameter(condition.range().last());
    }

    private String during(Condition.During range) {
        return within(range, switch (range.field()) {
            case CREATED -> dialect.withoutIndex("j.created_at");
            case ENDED -> dialect.withoutIndex("e.ended_at");
            default -> "coalesce(l.started_at, (SELECT a.started_at" + LAST_STARTED + ")";
        });
    }

    /** Returns the condition that a column is in a range. */
    String within(Condition.During range, String column) {
        List<String> ends = new ArrayList<>();
        if (range.from() != null) {
            ends.add(column + " >= " + parameter(range.from()));
        }
        if (range.until() != null) {
            ends.add(column + " < " + parameter(range.until()));
        }
        return ends.isEmpty() ? column + " IS NOT NULL" : "(" + String.join(" AND ", ends) + ")";
    }
}
