package dev.heddle.job;

import java.time.Duration;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class DurationTextTest {

    @ParameterizedTest
    @CsvSource({"-5, 0 ms", "0, 0 ms", "900, 900 ms", "8000, 8 s", "3449, 3.4 s", "59999, 60 s", "60000, 1m",
        "125000, 2m05s", "3599000, 59m59s", "3600000, 1h", "3720000, 1h02m", "172799000, 47h59m",
        "172800000, 2d", "180000000, 2d02h"})
    void showsTheTwoLargestUnits(long millis, String text) {
        assertThat(DurationText.of(Duration.ofMillis(millis))).isEqualTo(text);
    }
}
