package dev.heddle.engine.dispatch;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class CompletionRateTest {

    @Test
    void countsTheEndsOfTheLast200Milliseconds() {
        CompletionRate rate = new CompletionRate();
        long start = 1_000_000_000L;
        rate.add(10, start);
        rate.add(5, start + 80_000_000);

        assertThat(rate.lastWindow(start + 80_000_000)).isEqualTo(15);
        assertThat(rate.lastWindow(start + 220_000_000)).isEqualTo(5);
        assertThat(rate.lastWindow(start + 400_000_000)).isZero();
        assertThat(new CompletionRate().lastWindow(start)).isZero();
    }
}
