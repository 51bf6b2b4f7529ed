package dev.heddle.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.job.IdRange;
import dev.heddle.job.JobState;
import dev.heddle.query.Condition.All;
import dev.heddle.query.Condition.Any;
import dev.heddle.query.Condition.Between;
import dev.heddle.query.Condition.Contains;
import dev.heddle.query.Condition.During;
import dev.heddle.query.Condition.Header;
import dev.heddle.query.Condition.IdIn;
import dev.heddle.query.Condition.InState;
import dev.heddle.query.Condition.Is;
import dev.heddle.query.Condition.Not;
import dev.heddle.query.Condition.Payload;
import dev.heddle.query.Condition.Ran;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

class QueryParserTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final Condition MAIL = new Is(Field.TYPE, "mail");
    private static final Condition FAILED = new InState(Set.of(JobState.FAILED));

    private static Condition parse(String text) {
        return QueryParser.parse(text, NOW);
    }

    private static Instant ago(String duration) {
        return NOW.minus(Duration.parse(duration));
    }

    @Test
    void readsEachKindOfField() {
        assertThat(parse("type:mail")).isEqualTo(MAIL);
        assertThat(parse("STATE:Failed")).isEqualTo(FAILED);
        assertThat(parse("state:failed,queued")).isEqualTo(new InState(Set.of(JobState.FAILED, JobState.QUEUED)));
        assertThat(parse("type:mail,fax")).isEqualTo(new Any(List.of(MAIL, new Is(Field.TYPE, "fax"))));
        assertThat(parse("error:\"timed \\\"out\\\"\"")).isEqualTo(new Contains(Field.ERROR, "timed \"out\""));
        assertThat(parse("id:01a3")).isEqualTo(new IdIn(Field.ID, IdRange.startingWith("01a3")));
        assertThat(parse("header.trace-id:x:y")).isEqualTo(new Header("trace-id", "x:y"));
        assertThat(parse("payload.customer.id:42")).isEqualTo(new Payload("customer.id", "42"));
    }

    @Test
    void joinsConditionsByAndUnlessToldOtherwise() {
        assertThat(parse("type:mail state:failed")).isEqualTo(new All(List.of(MAIL, FAILED)));
        assertThat(parse(" type:mail AND state:failed ")).isEqualTo(new All(List.of(MAIL, FAILED)));
        assertThat(parse("type:mail or not state:failed")).isEqualTo(new Any(List.of(MAIL, new Not(FAILED))));
        assertThat(parse("-(type:mail or state:failed) tag:or"))
                .isEqualTo(new All(List.of(new Not(new Any(List.of(MAIL, FAILED))), new Is(Field.TAG, "or"))));
        assertThat(parse("type:mail or type:mail state:failed"))
                .as("and binds more tightly").isEqualTo(new Any(List.of(MAIL, new All(List.of(MAIL, FAILED)))));
        assertThat(parse(" ")).as("everything").isEqualTo(new All(List.of()));
    }

    @Test
    void comparesNumbersAndLengthsOfTime() {
        long min = Long.MIN_VALUE;
        long max = Long.MAX_VALUE;
        assertThat(parse("attempts:>2")).isEqualTo(new Between(Field.ATTEMPTS, 3, max));
        assertThat(parse("attempts:<=2")).isEqualTo(new Between(Field.ATTEMPTS, min, 2));
        assertThat(parse("priority:-5..5")).isEqualTo(new Between(Field.PRIORITY, -5, 5));
        assertThat(parse("priority:5..")).isEqualTo(new Between(Field.PRIORITY, 5, max));
        assertThat(parse("attempts:0")).isEqualTo(new Between(Field.ATTEMPTS, 0, 0));
        assertThat(parse("duration:>=1m30s")).isEqualTo(new Ran(90_000, max, NOW));
        assertThat(parse("duration:5s..1h")).isEqualTo(new Ran(5_000, 3_600_000, NOW));
    }

    @Test
    void readsTimesThatGoBackFromNowAndTimesOfTheCalendar() {
        assertThat(parse("created:<2h")).as("in the last two hours")
                .isEqualTo(new During(Field.CREATED, ago("PT2H"), null));
        assertThat(parse("created:>2h")).as("before that").isEqualTo(new During(Field.CREATED, null, ago("PT2H")));
        assertThat(parse("ended:1d..2h")).isEqualTo(new During(Field.ENDED, ago("P1D"), ago("PT2H")));
        assertThat(parse("ended:2h..1d")).isEqualTo(parse("ended:1d..2h"));
        assertThat(parse("ended:..1d")).isEqualTo(parse("ended:<1d"));
        Instant day = Instant.parse("2026-02-03T00:00:00Z");
        Instant next = Instant.parse("2026-02-04T00:00:00Z");
        assertThat(parse("started:2026-02-03")).isEqualTo(new During(Field.STARTED, day, next));
        assertThat(parse("created:>=2026-02-03")).isEqualTo(new During(Field.CREATED, day, null));
        assertThat(parse("created:>2026-02-03")).isEqualTo(new During(Field.CREATED, next, null));
        assertThat(parse("created:<2026-02-03")).isEqualTo(new During(Field.CREATED, null, day));
        assertThat(parse("created:<=2026-02-03")).isEqualTo(new During(Field.CREATED, null, next));
        assertThat(parse("created:2026-02-03..2026-02-03")).isEqualTo(new During(Field.CREATED, day, next));
        assertThat(parse("created:>=2026-02-03T01:00+01:00")).isEqualTo(new During(Field.CREATED, day, null));
        assertThat(parse("created:>=2026-02-03T00:00")).isEqualTo(new During(Field.CREATED, day, null));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            stat:failed             | 0  | unknown field 'stat'; did you mean 'state'?
            type:mail stat:failed   | 10 | unknown field 'stat'; did you mean 'state'?
            state:faild             | 6  | unknown state 'faild'; did you mean 'failed'?
            xyzzy:1                 | 0  | unknown field 'xyzzy'; fields are state, type,
            timeout                 | 0  | 'timeout' is not a condition; write field:value, such as error:timeout
            attempts>2              | 0  | a colon is missing after the field; write attempts:>2
            state=failed            | 0  | a colon is missing after the field; write state:failed
            type:                   | 5  | a value is missing after 'type:'
            type: mail              | 5  | a value is missing after 'type:'
            type:mail,              | 10 | a value is missing after 'type:'
            type:>mail              | 5  | 'type' cannot be compared with < or >
            attempts:many           | 9  | 'many' is not a whole number
            attempts:>many          | 10 | 'many' is not a whole number
            attempts:..             | 9  | a range needs at least one end
            duration:5              | 9  | '5' is not a length of time; write one such as 5s, 10m or 2h
            created:2h              | 8  | write created:<2h for the last 2h, or created:>2h for before that
            created:<yesterday      | 9  | 'yesterday' is not a time; write how long ago, such as 2h, or when
            id:xyz                  | 3  | 'xyz' is not a job id or the beginning of one
            (type:mail              | 0  | '(' is never closed
            type:mail)              | 9  | ')' without a '('
            error:"x                | 6  | the quote is never closed
            error:"x"y              | 9  | a space is missing after the closing quote
            type:mail or            | 12 | a condition is missing here
            not                     | 3  | a condition is missing here
            ()                      | 1  | a condition is missing here
            subject:""              | 8  | the value of 'subject' is empty
            """)
    void saysWhatIsWrongAndWhere(String query, int position, String problem) {
        QuerySyntaxException error = catchThrowableOfType(QuerySyntaxException.class, () -> parse(query));

        assertThat(error).hasMessageStartingWith(problem)
                .hasMessageEndingWith(" (at character " + (position + 1) + " of the query)");
        assertThat(error.position()).isEqualTo(position);
    }

    @Test
    void pointsAtTheErrorOnATerminal() {
        QuerySyntaxException error = catchThrowableOfType(QuerySyntaxException.class,
                () -> parse("type:mail\tstat:failed"));
        assertThat(error.caret().lines()).containsExactly("type:mail stat:failed", "          ^");

        QuerySyntaxException far = catchThrowableOfType(QuerySyntaxException.class,
                () -> parse("type:mail ".repeat(20) + "oops"));
        assertThat(far.caret().lines()).hasSize(2).allMatch(line -> line.length() < 130);
        List<String> lines = far.caret().lines().toList();
        assertThat(lines.getFirst().substring(lines.getLast().indexOf('^'))).isEqualTo("oops");
    }

    @Test
    void refusesQueriesThatWouldBeTooMuch() {
        assertThatThrownBy(() -> parse("tag:x ".repeat(101))).hasMessageContaining("more than 100 conditions");
        assertThatThrownBy(() -> parse("tag:x" + ",x".repeat(150))).hasMessageContaining("more than 100 conditions");
        assertThatThrownBy(() -> parse("(".repeat(100))).hasMessageContaining("more than 20 levels");
        assertThatThrownBy(() -> parse("not ".repeat(100))).hasMessageContaining("more than 20 levels");
        assertThatThrownBy(() -> parse("x".repeat(5_000))).hasMessageContaining("longer than 2000 characters");
    }

    @Test
    void tellsWhatHasNoIndex() {
        assertThat(parse("state:failed type:mail tag:x created:<2h").withoutIndex()).isEmpty();
        assertThat(parse("type:mail not (error:x or node:n) header.a:b").withoutIndex())
                .containsExactly("not", "or", "error", "node", "header.a");
    }
}
