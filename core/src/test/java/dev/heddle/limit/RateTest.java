package dev.heddle.limit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

class RateTest {

    private static final long S = 1_000_000_000L;

    @ParameterizedTest
    @CsvSource({
        // count, per s, burst, state s, now s: free units
        "60, 60, 3, 0, 100, 3", "60, 60, 3, 101, 100, 2", "60, 60, 3, 102, 100, 1", "60, 60, 3, 103, 100, 0",
        "60, 60, 3, 500, 100, 0", "1, 60, 1, 100, 100, 1", "1, 60, 1, 101, 100, 0"})
    void countsFreeUnits(int count, int per, int burst, long state, long now, long free) {
        assertThat(new Rate(count, Duration.ofSeconds(per), burst).units(state * S, now * S)).isEqualTo(free);
    }

    @ParameterizedTest
    @CsvSource({"1, 98", "2, 99", "3, 100", "9, 100"})
    void knowsWhenUnitsAreFreeAgain(int units, long at) {
        assertThat(new Rate(60, Duration.ofMinutes(1), 3).freeAt(100 * S, units)).isEqualTo(at * S);
    }

    /** In any window, at most burst + rate · w; and as much as that over a long time. */
    @Test
    void neverAdmitsMoreThanItsBurstAndItsRateInAnyWindow() {
        for (int seed = 0; seed < 50; seed++) {
            Random random = new Random(seed);
            Rate rate = new Rate(1 + random.nextInt(50), Duration.ofMillis(100 + random.nextInt(5_000)),
                    1 + random.nextInt(20));
            long now = 1_000 * S;
            long state = 0;
            List<Long> starts = new ArrayList<>();
            for (int i = 0; i < 400; i++) {
                now += random.nextInt(10) == 0 ? random.nextLong(3 * S) : random.nextLong(rate.interval());
                while (rate.units(state, now) > 0) {
                    state = rate.take(state, now, 1);
                    starts.add(now);
                }
            }
            for (int from = 0; from < starts.size(); from++) {
                for (int to = from; to < Math.min(starts.size(), from + 60); to++) {
                    long window = starts.get(to) - starts.get(from);
                    if (to - from + 1 > rate.burst() + window / rate.interval()) {
                        fail("seed %d: %d starts in %d ns of %s", seed, to - from + 1, window, rate);
                    }
                }
            }
        }
    }

    @Test
    void aRefundUndoesWhatWasTaken() {
        Rate rate = new Rate(10, Duration.ofSeconds(1), 5);
        long state = rate.take(0, 7 * S, 3);
        assertThat(rate.units(state, 7 * S)).isEqualTo(2);
        assertThat(rate.units(rate.refund(state, 2, 0), 7 * S)).isEqualTo(4);
    }

    @Test
    void whatHasBecomeFreeSinceIsNotRefunded() {
        Rate rate = new Rate(10, Duration.ofSeconds(1), 5);
        long first = rate.take(0, 7 * S, 1);
        long second = rate.take(first, 7 * S + S / 20, 1);
        // Without the first, the second would leave four units, and half of another one.
        assertThat(rate.refund(second, 1, S / 20)).isEqualTo(rate.take(0, 7 * S + S / 20, 1));
        assertThat(rate.refund(second, 1, S)).isEqualTo(second);
    }

    @Test
    void refusesWhatIsNoRate() {
        assertThatThrownBy(() -> new Rate(0, Duration.ofSeconds(1), 1)).hasMessageContaining("at least 1: 0");
        assertThatThrownBy(() -> new Rate(1, Duration.ZERO, 1)).hasMessageContaining("at least 1 ms: 0 ms");
        assertThatThrownBy(() -> new Rate(1, Duration.ofDays(32), 1)).hasMessageContaining("at most 31 days");
        assertThatThrownBy(() -> new Rate(1_000_000, Duration.ofMillis(1), 1)).hasMessageContaining("microsecond");
        assertThatThrownBy(() -> new Rate(1, Duration.ofSeconds(1), 0)).hasMessageContaining("burst");
    }
}
