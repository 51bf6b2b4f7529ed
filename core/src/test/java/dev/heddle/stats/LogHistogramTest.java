package dev.heddle.stats;

import java.time.Duration;
import java.util.Arrays;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class LogHistogramTest {

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 10, 999, 1_000, 1_001, 60_000_000, 3_600_000_000L, 86_400_000_000L * 365})
    void isWrongByAtMostFivePercent(long micros) {
        LogHistogram histogram = new LogHistogram();
        histogram.add(Duration.ofNanos(micros * 1_000));
        assertThat(histogram.quantile(0.5).toNanos() / 1_000.0).isBetween(micros * 0.95, micros * 1.05);
    }

    @Test
    void findsPercentilesOfRandomDurations() {
        Random random = new Random(7);
        long[] nanos = random.doubles(10_000).mapToLong(x -> (long) (1_000 * Math.pow(10, 9 * x))).sorted().toArray();
        LogHistogram histogram = new LogHistogram();
        Arrays.stream(nanos).forEach(value -> histogram.add(Duration.ofNanos(value)));
        for (double share : new double[]{0.01, 0.5, 0.95, 0.99, 1}) {
            double exact = nanos[(int) Math.ceil(share * nanos.length) - 1];
            assertThat(histogram.quantile(share).toNanos()).as("p%s", share * 100)
                    .isBetween((long) (exact * 0.95) - 1_000, (long) (exact * 1.05));
        }
    }

    @Test
    void addsHistogramsAsIfAllDurationsHadGoneIntoOne() {
        LogHistogram one = new LogHistogram();
        LogHistogram other = new LogHistogram();
        LogHistogram both = new LogHistogram();
        Random random = new Random(3);
        for (int i = 0; i < 1_000; i++) {
            Duration duration = Duration.ofMillis(random.nextInt(100_000));
            (i % 3 == 0 ? one : other).add(duration);
            both.add(duration);
        }
        one.add(other);
        assertThat(one).isEqualTo(both);
        assertThat(one.count()).isEqualTo(1_000);
    }

    @Test
    void isReadAsItWasWritten() {
        LogHistogram histogram = new LogHistogram();
        assertThat(LogHistogram.decode(histogram.encode())).isEqualTo(histogram);
        histogram.add(Duration.ZERO);
        histogram.add(Duration.ofMillis(3));
        histogram.add(Duration.ofMillis(3));
        assertThat(LogHistogram.decode(histogram.encode())).isEqualTo(histogram);
        assertThat(LogHistogram.decode(histogram.encode()).count()).isEqualTo(3);
    }

    @Test
    void staysSmall() {
        LogHistogram histogram = new LogHistogram();
        for (long millis = 1; millis < 1L << 50; millis = millis * 11 / 10 + 1) {
            histogram.add(Duration.ofMillis(millis));
        }
        assertThat(histogram.encode().length()).isLessThan(4_000);
    }

    @Test
    void saysZeroOfNothingAndOfDurationsBelowAMicrosecond() {
        assertThat(new LogHistogram().quantile(0.95)).isZero();
        LogHistogram histogram = new LogHistogram();
        histogram.add(Duration.ofNanos(999));
        histogram.add(Duration.ofMillis(-5));
        assertThat(histogram.quantile(1)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"x", "1", "1:", ":1", "1:2 3", "1:2  3:4"})
    void refusesOtherText(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> LogHistogram.decode(text));
    }
}
