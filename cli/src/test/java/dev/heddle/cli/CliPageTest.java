package dev.heddle.cli;

import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CliPageTest {

    private static final String BEGIN = "<!-- made by CliPageTest; -Dheddle.docs=write makes it anew -->\n";

    /** With the system property {@code heddle.docs=write}, brings the page up to date instead of complaining. */
    @Test
    void isThePageOfTheCommandsThatThereAre() throws Exception {
        Path page = Path.of("../docs/cli.md");
        String text = Files.readString(page);
        assertThat(text).contains(BEGIN);
        String head = text.substring(0, text.indexOf(BEGIN) + BEGIN.length());
        String whole = head + CliPage.of(new Cli().commandLine());
        if ("write".equals(System.getProperty("heddle.docs"))) {
            Files.writeString(page, whole);
        }
        assertThat(Files.readString(page)).isEqualTo(whole);
    }
}
