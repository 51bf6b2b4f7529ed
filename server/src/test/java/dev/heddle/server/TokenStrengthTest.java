package dev.heddle.server;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class TokenStrengthTest {

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            short                            | must have at least 16 printable
            with spaces in between them      | must have at least 16 printable
            aaaaaaaaaaaaaaaaaaaaaaaa         | must have at least 8 different characters
            changemechangeme                 | must have at least 8 different characters
            correctbatterycorrectbattery     | must not repeat a shorter text
            1234567890123456                 | must not be a run
            abcdefghijklmnopqrstuvwxyz       | must not be a run
            0123456789abcdef                 | must not be a run
            """)
    void refuses(String token, String reason) {
        assertThat(TokenStrength.weakness(token)).startsWith(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a-token-that-i-chose", "a-token-of-my-own",
        "9f1c07e4b8a25d3604cf7192ae5b83d07c16e94fa205d8b36170c9f4e28a5d1b"})
    void accepts(String token) {
        assertThat(TokenStrength.weakness(token)).isNull();
    }
}
