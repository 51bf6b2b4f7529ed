package dev.heddle.cli;

import dev.heddle.cli.Cli.Answer;
import dev.heddle.cli.shell.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class MainTest {

    @ParameterizedTest
    @ValueSource(strings = {"version", "--version", "-V"})
    void printsItsVersion(String argument) {
        Answer answer = Cli.run(argument);

        assertThat(answer.exit()).isEqualTo(ExitCode.OK.code());
        assertThat(answer.out()).matches("heddle \\d+\\.\\d+\\.\\d+\\S* \\(Java \\S+\\)\\R");
        assertThat(answer.err()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            demmo           | heddle: unknown command 'demmo'; did you mean 'demo'?
            xyz             | heddle: unknown command 'xyz'; see 'heddle --help'
            --verison       | heddle: unknown option '--verison'; did you mean '--version'?
            demo --hepl     | heddle demo: unknown option '--hepl'; did you mean '--help'?
            version now     | heddle version: unknown argument 'now'; see 'heddle version --help'
            """)
    void reportsInvalidUsageInOneLine(String line, String expected) {
        Answer answer = Cli.run(line.split(" "));

        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).isEqualTo(expected + System.lineSeparator());
        assertThat(answer.out()).isEmpty();
    }

    @Test
    void listsCommandsExceptHiddenOnes() {
        Answer answer = Cli.run("--help");

        assertThat(answer.exit()).isEqualTo(ExitCode.OK.code());
        assertThat(answer.out()).contains("demo ", "version ").doesNotContain("demo-worker", "\u001b");
        assertThat(answer.err()).isEmpty();
    }

    @Test
    void printsUsageIfThereIsNoCommand() {
        Answer answer = Cli.run();

        assertThat(answer.exit()).isEqualTo(ExitCode.USAGE.code());
        assertThat(answer.err()).startsWith("Usage: heddle");
        assertThat(answer.out()).isEmpty();
    }
}
