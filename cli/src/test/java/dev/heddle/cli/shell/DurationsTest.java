package dev.heddle.cli.shell;

import java.time.Duration;
import java.time.Instant;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class DurationsTest {

    @ParameterizedTest
    @CsvSource({"0s, 0", "500ms, 500", "1.5s, 1500", "2 min, 120000", "2m, 120000", "1H, 3600000", "7d, 604800000"})
    void parsesANumberWithAUnit(String text, long millis) {
        assertThat(Durations.parse(text)).hasMillis(millis);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "10", "s", "-1s", "1 year", "1e5s", "1s 2s", "99999999d"})
    void rejectsAnythingElse(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> Durations.parse(text)).withMessageContaining(text);
    }

    @ParameterizedTest
    @CsvSource({"-5, 0s", "900, 0s", "59999, 59s", "60000, 1m", "3599000, 59m", "3600000, 1h", "172799000, 47h",
        "172800000, 2d"})
    void printsTheLargestUnit(long millis, String coarse) {
        assertThat(Durations.coarse(Duration.ofMillis(millis))).isEqualTo(coarse);
    }

    @Test
    void printsRelativeTimes() {
        Instant now = Instant.parse("2026-01-01T00:00:00Z");
        assertThat(Durations.relative(now.minusSeconds(90), now)).isEqualTo("1m ago");
        assertThat(Durations.relative(now.plusSeconds(90), now)).isEqualTo("in 1m");
    }
}
