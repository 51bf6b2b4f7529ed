package dev.heddle.cli.config;

import java.util.List;

import dev.heddle.cli.shell.CliException;
import dev.heddle.control.Redaction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The section {@code redaction}. */
class RedactionConfigTest extends ConfigFixture {

    @Test
    void masksTheStandardNamesByDefault() throws Exception {
        assertThat(read("workers: 2").server().redaction()).isEqualTo(Redaction.STANDARD);
    }

    @Test
    void addsRules() throws Exception {
        assertThat(read("redaction: {keys: [iban], paths: [$.a.b], patterns: ['x+']}").server().redaction())
                .isEqualTo(Redaction.STANDARD.and(new Redaction(List.of("iban"), List.of("$.a.b"), List.of("x+"))));
        assertThat(read("redaction: {standard: false}").server().redaction()).isEqualTo(Redaction.NONE);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`',
            textBlock = """
                    {key: [a]}        | unknown key 'redaction.key'
                    {paths: [a.b]}    | 'a.b' is not a path to mask
                    {patterns: ['(']} | '(' is not a regular expression
                    {standard: maybe} | redaction.standard
                    """)
    void refusesWhatCannotBeMeant(String section, String reason) {
        assertThatThrownBy(() -> read("redaction:\n  " + section)).isInstanceOf(CliException.class)
                .hasMessageContaining("heddle.yaml:2").hasMessageContaining(reason).hasMessageNotContaining("\n");
    }
}
