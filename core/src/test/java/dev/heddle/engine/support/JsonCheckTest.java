package dev.heddle.engine.support;

import dev.heddle.job.JsonMappers;
import dev.heddle.job.Limits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

class JsonCheckTest {

    /** An escaped backslash before it turns the escape into plain text. */
    @ParameterizedTest
    @CsvSource({"'\"a\\u0000\"',true", "'\"a\\\\u0000\"',false", "'\"\\\\\\u0000\"',true", "'\"u0000\"',false",
        "'{}',false", "'\"\\\\u0000\\u0000\"',true"})
    void findsNuls(String json, boolean found) {
        assertThat(isRefused(json, "U+0000")).isEqualTo(found);
    }

    @Test
    void findsHalvesOfSurrogatePairs() {
        assertThat(JsonCheck.problem("\"a\uD83D\uDE00b\"")).isNull();
        assertThat(isRefused("\"a\uD83Db\"", "surrogate")).isTrue();
        assertThat(isRefused("\"\uDE00\uD83D\"", "surrogate")).isTrue();
        assertThat(isRefused("\uD83D", "surrogate")).isTrue();
    }

    private static boolean isRefused(String json, String why) {
        String problem = JsonCheck.problem(json);
        return problem != null && problem.contains(why);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e400", "-1e-400", "1e999", "1e-999", "12345678901234567890.5", "0.1e400", "1.5E+3",
        "[1,-2.5,{\"a\":1e9}]", "\"1e2000\"", "{\"1e2000\":1}", "\"\\\"1e2000\""})
    void acceptsNumbersOfUpToAThousandDigits(String json) {
        assertThat(JsonCheck.problem(json)).isNull();
        JsonNode read = JsonMappers.standard().readTree(json);
        assertThat(JsonMappers.standard().readTree(read.toString())).isEqualTo(read);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1e1000", "-1e1000", "1e-1000", "1e200000", "1e-20000", "1e99999999999999999999",
        "[1,{\"a\":[2,1e1001]}]", "{\"a\":0.1E-1000}"})
    void findsNumbersOfMoreThanAThousandDigits(String json) {
        assertThat(JsonCheck.problem(json)).contains("more than 1000 digits", "pass it as text");
    }

    @Test
    void agreesWithTheParserAboutTheLongestNumber() {
        for (String longest : new String[]{"9".repeat(1_000), "-" + "9".repeat(1_000), "0." + "9".repeat(999),
            "9." + "9".repeat(996) + "e999"}) {
            assertThat(JsonMappers.standard().readTree(longest).isNumber()).isTrue();
            assertThat(JsonCheck.problem(longest)).isNull();
            assertThat(JsonCheck.problem(longest.replaceFirst("9", "99"))).contains("1000 digits");
        }
    }

    @Test
    void findsNamesThatTheParserRefuses() {
        String longest = "n".repeat(Limits.JSON_NAME);
        assertThat(JsonCheck.problem("{\"" + longest + "\":1}")).isNull();
        assertThat(JsonCheck.problem("{\"n" + longest + "\" :1}")).contains("field name of 50001");
        assertThat(JsonCheck.problem("[\"n" + longest + "\"]")).isNull();
    }
}
