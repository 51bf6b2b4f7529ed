package dev.heddle.output;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/** What text of others looks like once it is safe. */
class SafeTextTest {

    private static final String CLIPBOARD = "\u001b]52;c;ZXZpbA==\u0007";

    @ParameterizedTest
    @ValueSource(
            strings = {"\u001b[6n", CLIPBOARD, "\u009b6n", "\u009d52;c;x\u009c", "\u0007", "\b", "\u007f", "\u202e",
                "\u2066", "\u2069", "\u0000", "\ud800", "\ufdd0"})
    void replacesWhatCouldChangeATerminal(String unsafe) {
        String text = "before" + unsafe + "after";

        assertThat(SafeText.line(text)).startsWith("before?").endsWith("after").matches("[ -~]*");
        assertThat(SafeText.of(text)).isEqualTo(SafeText.line(text));
    }

    @Test
    void keepsWhatIsReadable() {
        String text = "Grüße, 你好, 👋 שלום …";

        assertThat(SafeText.line(text)).isSameAs(text);
        assertThat(SafeText.of(text + "\n\tat")).isEqualTo(text + "\n\tat");
    }

    @Test
    void showsLinesThatWouldBeOverwrittenBelowOneAnother() {
        assertThat(SafeText.of("one\r\ntwo\r10%\r20%")).isEqualTo("one\ntwo\n10%\n20%");
        assertThat(SafeText.line("one\r\ntwo\tx")).isEqualTo("one  two x");
    }

    @Test
    void escapesTheStringsOfADocument() {
        String text = "\u001b[6n\u009b\u202e\u007f\t👋 ü\ufdd0";
        String document = JsonMapper.shared().writerWithDefaultPrettyPrinter().writeValueAsString(new String[]{text});

        String safe = SafeText.json(document);

        assertThat(safe).doesNotContain("\u001b", "\u009b", "\u202e", "\u007f", "\ufdd0").contains("👋 ü");
        assertThat(JsonMapper.shared().readTree(safe).get(0).asString()).isEqualTo(text);
    }
}
