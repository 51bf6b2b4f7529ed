package dev.heddle.external;

import java.time.Duration;

import dev.heddle.external.Recycling.Usage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecyclingTest {

    private static final Usage YOUNG = new Usage(0, Duration.ZERO, Duration.ZERO, 0, 0);

    private static Usage jobs(long count, double luck) {
        return new Usage(count, Duration.ZERO, Duration.ZERO, 0, luck);
    }

    private static Usage times(Duration age, Duration idle) {
        return new Usage(5, age, idle, 0, 0);
    }

    @Test
    void neverRecyclesWithoutLimits() {
        assertThat(
                Recycling.never().reason(new Usage(1_000_000, Duration.ofDays(99), Duration.ofDays(99), 1L << 40, 0)))
                .isEmpty();
    }

    @Test
    void recyclesAfterJobs() {
        Recycling rule = Recycling.never().afterJobs(100);
        assertThat(rule.reason(jobs(99, 0))).isEmpty();
        assertThat(rule.reason(jobs(100, 0))).contains("recycled after 100 jobs");
        assertThat(Recycling.never().afterJobs(1).reason(YOUNG)).as("never before its first job").isEmpty();
    }

    @Test
    void recyclesByAgeIdleTimeAndMemory() {
        Recycling rule = Recycling.never().afterAge(Duration.ofHours(1)).afterIdle(Duration.ofMinutes(10))
                .aboveMemory(512L << 20);
        assertThat(rule.reason(times(Duration.ofMinutes(59), Duration.ofMinutes(9)))).isEmpty();
        assertThat(rule.reason(times(Duration.ofMinutes(60), Duration.ZERO))).contains("recycled at the age of 1h");
        assertThat(rule.reason(times(Duration.ZERO, Duration.ofMinutes(10))))
                .contains("recycled after 10m without a job");
        assertThat(rule.reason(new Usage(1, Duration.ZERO, Duration.ZERO, 512L << 20, 0))).isEmpty();
        assertThat(rule.reason(new Usage(1, Duration.ZERO, Duration.ZERO, (512L << 20) + 1, 0)))
                .contains("recycled at 536870913 bytes of memory, over 536870912");
    }

    @Test
    void lowersLimitsByTheJitter() {
        Recycling rule = Recycling.never().afterJobs(1000).jitter(0.1);
        assertThat(rule.reason(jobs(949, 0.5))).isEmpty();
        assertThat(rule.reason(jobs(950, 0.5))).isPresent();
        assertThat(rule.reason(jobs(999, 0))).isEmpty();
    }

    @Test
    void refusesInvalidLimits() {
        assertThatThrownBy(() -> Recycling.never().afterJobs(0)).hasMessage("jobs must be at least 1: 0");
        assertThatThrownBy(() -> Recycling.never().aboveMemory(0)).hasMessageContaining("at least 1 byte");
        assertThatThrownBy(() -> Recycling.never().afterAge(Duration.ZERO))
                .hasMessageContaining("age must be longer than zero: PT0S");
        assertThatThrownBy(() -> Recycling.never().jitter(1)).hasMessageContaining("below 1");
    }
}
