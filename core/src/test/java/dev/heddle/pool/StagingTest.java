package dev.heddle.pool;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class StagingTest {

    private static final Staging STANDARD = Staging.standard();

    private static List<Duration> delays(Staging staging, int count) {
        return IntStream.range(0, count).mapToObj(position -> staging.delay(position, count)).toList();
    }

    /** The position from 1, the number of jobs, the delay, and the stage. */
    @ParameterizedTest
    @CsvSource({"1,1,PT0S,AT_ONCE", "1,10000,PT0S,AT_ONCE", "2,2,PT1S,WARM", "2,10000,PT1S,WARM",
        "10,10,PT9S,WARM", "10,10000,PT9S,WARM", "11,11,PT10S,SLOW", "11,10000,PT10S,SLOW",
        "12,12,PT7M35S,SLOW", "19,19,PT13M21.111111111S,SLOW", "100,100,PT14M50.111111111S,SLOW",
        "10000,10000,PT14M59.91091091S,SLOW"})
    void startsOneAtOnceThenNineAtOneASecondAndTheRestWithin15Minutes(int number, int count,
            Duration delay, Staging.Stage stage) {
        assertThat(STANDARD.delay(number - 1, count)).isEqualTo(delay);
        assertThat(STANDARD.stage(number - 1)).isEqualTo(stage);
    }

    @ParameterizedTest
    @ValueSource(ints = {11, 12, 50, 1_000, 10_000})
    void spreadsTheRestEvenly(int count) {
        List<Duration> delays = delays(STANDARD, count);
        Duration gap = Duration.ofSeconds(890).dividedBy(count - 10);

        assertThat(delays).isSorted().last().satisfies(
                last -> assertThat(last).isBetween(Duration.ofSeconds(10), Duration.ofMinutes(15)));
        for (int position = 11; position < count; position++) {
            assertThat(delays.get(position).minus(delays.get(position - 1)).minus(gap).abs())
                    .isLessThan(Duration.ofNanos(2));
        }
    }

    @Test
    void usesCustomValues() {
        assertThat(delays(new Staging(2, 2, Duration.ofSeconds(5), Duration.ofSeconds(35)), 8)
                .stream().map(Duration::toSeconds)).containsExactly(0L, 0L, 5L, 10L, 15L, 20L, 25L, 30L);
        assertThat(delays(Staging.none(), 10_000)).containsOnly(Duration.ZERO);
    }

    @Test
    void startsTheRestRightAfterTheWarmOnesIfThereIsNoTimeLeft() {
        assertThat(delays(new Staging(1, 1, Duration.ofSeconds(5), Duration.ZERO), 5)
                .stream().map(Duration::toSeconds)).containsExactly(0L, 5L, 10L, 10L, 10L);
    }

    @Test
    void refusesInvalidValues() {
        assertThatThrownBy(() -> new Staging(0, 9, Duration.ofSeconds(1), Duration.ofMinutes(15)))
                .hasMessage("staging: atOnce must be at least 1: 0");
        assertThatThrownBy(() -> new Staging(1, -1, Duration.ofSeconds(1), Duration.ofMinutes(15)))
                .hasMessage("staging: warm must be at least 0: -1");
        assertThatThrownBy(() -> new Staging(1, 9, Duration.ofSeconds(-1), Duration.ofMinutes(15)))
                .hasMessageContaining("must not be negative: PT-1S");
    }
}
