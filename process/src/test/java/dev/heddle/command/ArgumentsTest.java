package dev.heddle.command;

import java.util.List;

import dev.heddle.job.FailureCategory;
import dev.heddle.job.JobException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ArgumentsTest {

    private static final JsonNode PAYLOAD = JsonMapper.builder().build().readTree("""
            {"path": "a b; rm -rf $HOME", "n": 7, "yes": true, "deep": {"er": {"x": "found"}}, "a.b": "dotted",
             "list": [1, "two"], "nothing": null, "dollar": "$1\\\\", "nul": "a\\u0000b"}""");

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            plain              | plain
            {{n}}              | 7
            --n={{ n }}        | --n=7
            {{n}}{{yes}}       | 7true
            {{deep.er.x}}      | found
            {{a.b}}            | dotted
            {{list}}           | [1,"two"]
            {{dollar}}         | $1\\
            {{.Names}} {n} {{  | {{.Names}} {n} {{
            """)
    void fillsInFieldsFromThePayload(String text, String filled) {
        assertThat(Arguments.fill(text, PAYLOAD)).isEqualTo(filled);
    }

    @Test
    void aValueRemainsOneArgument() {
        assertThat(Arguments.fill(List.of("ls", "--", "{{path}}"), PAYLOAD)).containsExactly("ls", "--",
                "a b; rm -rf $HOME");
    }

    @Test
    void namesAMissingFieldAndTheAvailableOnes() {
        assertThatThrownBy(() -> Arguments.fill("{{nam}}", PAYLOAD))
                .isInstanceOfSatisfying(JobException.class,
                        e -> assertThat(e.category()).isEqualTo(FailureCategory.PERMANENT))
                .hasMessage(
                        "the command needs the field 'nam', which the payload does not have; it has a.b, deep, dollar, list,"
                                + " n, nothing, nul, path, yes");
        assertThatThrownBy(() -> Arguments.fill("{{nothing}}", PAYLOAD)).hasMessageContaining("the field 'nothing'");
        assertThatThrownBy(() -> Arguments.fill("{{n}}", JsonMapper.builder().build().readTree("[]")))
                .hasMessage("the command needs the field 'n', which the payload does not have; it has no fields");
    }

    @Test
    void rejectsNulCharacters() {
        assertThatThrownBy(() -> Arguments.fill("{{nul}}", PAYLOAD)).hasMessageContaining("NUL");
    }

    @Test
    void aValueNeverBecomesAnOption() {
        JsonNode payload = JsonMapper.builder().build().readTree("""
                {"path": "-rf", "n": -7, "text": "-7.5", "dash": "-"}""");
        assertThatThrownBy(() -> Arguments.fill(List.of("rm", "{{path}}"), payload))
                .isInstanceOfSatisfying(JobException.class,
                        e -> assertThat(e.category()).isEqualTo(FailureCategory.PERMANENT))
                .hasMessage("the value '-rf' of the argument '{{path}}' would become an option;"
                        + " put -- before the argument, or write --option={{path}}");
        assertThat(Arguments.fill(List.of("rm", "--", "{{path}}"), payload)).containsExactly("rm", "--", "-rf");
        assertThat(Arguments.fill(List.of("rm", "--x={{path}}", "-{{path}}"), payload)).containsExactly("rm",
                "--x=-rf", "--rf");
        assertThat(Arguments.fill(List.of("seq", "{{n}}", "{{text}}", "{{dash}}"), payload)).containsExactly("seq",
                "-7", "-7.5", "-");
    }
}
