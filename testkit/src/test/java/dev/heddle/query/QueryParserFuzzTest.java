package dev.heddle.query;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.testkit.fuzz.Fuzz;
import dev.heddle.testkit.fuzz.Inputs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A query is parsed, or refused with one line and a place in it; nothing else is ever thrown. */
class QueryParserFuzzTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");
    private static final List<String> SAMPLES = List.of(
            "state:failed type:mail queue:q tag:x subject:y created:<2h error:\"timeout\" attempts:>2 duration:>5s",
            "not (type:mail or -state:failed,queued) and id:01a3 created:2026-01-01..2026-02-01T12:00Z ended:>=1d",
            "payload.customer.id:42 header.x:\"a \\\" b\" priority:-5..5 parent:01a3-44 reason:x started:1h30m..2d");

    @Test
    void isParsedOrRefusedInOneLine() throws Exception {
        Fuzz.check(QueryParserFuzzTest.class, Duration.ofSeconds(3), Inputs.mutated(SAMPLES), query -> {
            try {
                assertThat(QueryParser.parse(query, NOW).withoutIndex()).isNotNull();
            } catch (QuerySyntaxException e) {
                assertThat(String.valueOf(e.getMessage()).lines()).hasSize(1);
                assertThat(e.position()).isBetween(0, query.length());
                assertThat(e.caret().lines()).hasSize(2);
            }
        });
    }
}
