package dev.heddle.job;

import java.time.Duration;
import java.util.Random;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RetryPolicyTest {

    private final Random random = new Random(7);

    @Test
    void growsLinearlyWithTheRetry() {
        Backoff backoff = RetryPolicy.linear(3, Duration.ofSeconds(2)).backoff();

        assertThat(backoff.delay(1, random)).isEqualTo(Duration.ofSeconds(2));
        assertThat(backoff.delay(3, random)).isEqualTo(Duration.ofSeconds(6));
    }

    @Test
    void doublesUpToTheCap() {
        Backoff backoff = new Backoff.Exponential(Duration.ofSeconds(1), Duration.ofMinutes(5), 0);

        assertThat(backoff.delay(1, random)).isEqualTo(Duration.ofSeconds(1));
        assertThat(backoff.delay(4, random)).isEqualTo(Duration.ofSeconds(8));
        assertThat(backoff.delay(10, random)).isEqualTo(Duration.ofMinutes(5));
        assertThat(backoff.delay(10_000, random)).isEqualTo(Duration.ofMinutes(5));
    }

    @Test
    void variesByTheJitterInBothDirections() {
        Backoff backoff = RetryPolicy.standard().backoff();
        long below = 0;
        for (int i = 0; i < 1_000; i++) {
            long millis = backoff.delay(1, random).toMillis();
            assertThat(millis).isBetween(800L, 1_200L);
            below += millis < 1_000 ? 1 : 0;
        }
        assertThat(below).isBetween(400L, 600L);
    }

    @Test
    void refusesInvalidDelays() {
        assertThatThrownBy(() -> RetryPolicy.linear(-1, Duration.ZERO)).hasMessageContaining("maxRetries")
                .hasMessageContaining("-1");
        assertThatThrownBy(() -> RetryPolicy.linear(1, Duration.ofSeconds(-1))).hasMessageContaining("PT-1S");
        assertThatThrownBy(() -> new Backoff.Exponential(Duration.ZERO, Duration.ZERO, 1)).hasMessageContaining("1.0");
    }
}
