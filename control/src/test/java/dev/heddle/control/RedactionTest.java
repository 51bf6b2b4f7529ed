package dev.heddle.control;

import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import dev.heddle.control.model.JobLog;
import dev.heddle.control.model.OutputChunk;
import dev.heddle.control.model.UnitView;
import dev.heddle.job.JobState;
import dev.heddle.log.LogStream;
import dev.heddle.run.Run;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What is masked, and what is not. */
class RedactionTest {

    private static Redaction keys(String... keys) {
        return new Redaction(List.of(keys), List.of(), List.of());
    }

    private static Redaction paths(String... paths) {
        return new Redaction(List.of(), List.of(paths), List.of());
    }

    private static Redaction patterns(String... patterns) {
        return new Redaction(List.of(), List.of(), List.of(patterns));
    }

    private static String shown(Redaction rules, String json) {
        return ControlJson.write(rules.masker().document(ControlJson.tree(json)));
    }

    @ParameterizedTest
    @CsvSource({"password, true", "Password, true", "db_password, true", "dbPassword, true", "DB-PASSWORD, true",
        "password_hash, false", "pass, false", "api_key, true", "apiKey, true", "X-Api-Key, true", "tokens, false",
        "access_token, true", "inputTokens, false", "Authorization, true", "author, false", "'', false"})
    void masksValuesByTheNameOfTheirKey(String key, boolean secret) {
        assertThat(Redaction.STANDARD.masker().isSecret(key)).isEqualTo(secret);
    }

    @Test
    void masksValuesOfAnyKindAtAnyDepth() {
        assertThat(shown(keys("secret"), """
                {"a":[{"secret":"x","b":1},{"secret":{"c":[1]}},{"secret":null},{"secret":12}],"secrets":["y"]}"""))
                .isEqualTo(
                        """
                                {"a":[{"secret":"•••","b":1},{"secret":"•••"},{"secret":null},{"secret":"•••"}],"secrets":["y"]}""");
        assertThat(shown(keys("secret"), "\"secret\"")).isEqualTo("\"secret\"");
        assertThat(shown(keys("secret"), "null")).isEqualTo("null");
    }

    @Test
    void masksValuesByTheirPlace() {
        String json = """
                {"card":{"number":"4111","owner":"ann"},"items":[{"iban":"a","n":1},{"iban":"b"}],"number":5}""";
        assertThat(shown(paths("$.card.number", "$.items[*].iban"), json)).isEqualTo("""
                {"card":{"number":"•••","owner":"ann"},"items":[{"iban":"•••","n":1},{"iban":"•••"}],"number":5}""");
        assertThat(shown(paths("$.items[*]"), json)).isEqualTo("""
                {"card":{"number":"4111","owner":"ann"},"items":["•••","•••"],"number":5}""");
        assertThat(shown(paths("$.card"), json)).startsWith("{\"card\":\"•••\"");
        assertThat(shown(paths("$.nothing.here", "$.items.iban", "$.number.x"), json)).isEqualTo(json);
    }

    @Test
    void masksWhatMatchesInTexts() {
        Redaction cards = patterns("\\b\\d{16}\\b", "Bearer \\S+");
        assertThat(shown(cards, """
                {"text":"card 4111111111111111 of ann","list":["Bearer abc.def"],"id":4111111111111111}"""))
                .isEqualTo("""
                        {"text":"card ••• of ann","list":["•••"],"id":4111111111111111}""");
        assertThat(cards.masker().text("no card")).isEqualTo("no card");
    }

    @ParameterizedTest
    @ValueSource(strings = {"card.number", "$", "$.", "$..a", "$.a[0]", "$.a b", ""})
    void refusesWhatIsNoPath(String path) {
        assertThatIllegalArgumentException().isThrownBy(() -> paths(path)).withMessageContaining("is not a path");
    }

    @Test
    void refusesPatternsThatAreNoneOrMatchEverything() {
        assertThatIllegalArgumentException().isThrownBy(() -> patterns("(")).withMessageContaining(
                "'(' is not a regular expression");
        assertThatIllegalArgumentException().isThrownBy(() -> patterns("x*")).withMessageContaining(
                "matches an empty text");
        assertThatIllegalArgumentException().isThrownBy(() -> keys("-")).withMessageContaining("is empty");
    }

    @Test
    void masksEveryKindOfView() {
        ViewMasker masker = new ViewMasker(keys("token").and(patterns("s3cret")));
        UnitView unit = new UnitView("s3cret", ControlJson.tree("{\"token\":\"x\"}"), JobState.FAILED, 1, null,
                "no s3cret", null, 5, "s3cret", null, null);
        UnitView shown = masker.view(unit);
        assertThat(shown.unit()).isEqualTo(ControlJson.tree("{\"token\":\"•••\"}"));
        assertThat(shown.error()).isEqualTo("no •••");
        assertThat(shown.id()).as("an id is not a text").isEqualTo("s3cret");
        assertThat(unit.error()).isEqualTo("no s3cret");

        JobLog log = masker
                .view(new JobLog("1", List.of(new JobLog.Line(Instant.EPOCH, "WARN", 1, LogStream.EVENT, "a s3cret\n"),
                        new JobLog.Line(Instant.EPOCH, "WARN", 1, LogStream.EVENT, "b")), "2", false, true));
        assertThat(log.lines()).extracting(JobLog.Line::text).containsExactly("a •••\n", "b");

        OutputChunk chunk = masker.view(OutputChunk.of("1", 1, Run.Channel.STDOUT, 7, "a s3cret".getBytes(UTF_8),
                false));
        assertThat(new String(chunk.bytes(), UTF_8)).isEqualTo("a •••");
        assertThat(chunk.next()).isEqualTo(15);

        assertThat(masker.view(Map.of("token", "x", "n", 1))).isEqualTo(Map.of("token", "•••", "n", 1));
        assertThat(masker.view(Arrays.asList("s3cret", null))).isEqualTo(Arrays.asList("•••", null));
    }

    @Test
    void copiesNothingThatHasNoSecrets() {
        ViewMasker masker = new ViewMasker(Redaction.STANDARD);
        JobLog log = new JobLog("1", List.of(new JobLog.Line(Instant.EPOCH, "WARN", 1, LogStream.EVENT, "password=x")),
                "2", false, true);
        assertThat(masker.view(log)).isSameAs(log);
        assertThat(new ViewMasker(Redaction.NONE).view(log)).isSameAs(log);
    }

    @Test
    void refusesToStoreAMaskedValue() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Redaction.requireUnmasked(ControlJson.tree("{\"a\":[{\"token\":\"•••\"}]}")))
                .withMessageContaining("reveal");
        assertThat(Redaction.requireUnmasked(ControlJson.tree("{\"a\":\"• •• •••\"}"))).isNotNull();
    }
}
