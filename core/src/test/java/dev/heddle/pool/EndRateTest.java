package dev.heddle.pool;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class EndRateTest {

    @Test
    void remembersHowManyEndedInTheLastFifthOfASecond() {
        EndRate rate = new EndRate();
        long start = 1_000_000_000L;
        rate.ended(10, start);
        rate.ended(5, start + 80_000_000);

        assertThat(rate.lastWindow(start + 80_000_000)).isEqualTo(15);
        assertThat(rate.lastWindow(start + 220_000_000)).isEqualTo(5);
        assertThat(rate.lastWindow(start + 400_000_000)).isZero();
        assertThat(new EndRate().lastWindow(start)).isZero();
    }
}
