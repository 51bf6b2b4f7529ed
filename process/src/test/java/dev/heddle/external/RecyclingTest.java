package dev.heddle.external;

import java.time.Duration;

import dev.heddle.external.Recycling.Use;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecyclingTest {

    private static final Use YOUNG = new Use(0, Duration.ZERO, Duration.ZERO, 0, 0);

    private static Use jobs(long count, double luck) {
        return new Use(count, Duration.ZERO, Duration.ZERO, 0, luck);
    }

    private static Use times(Duration age, Duration idle) {
        return new Use(5, age, idle, 0, 0);
    }

    @Test
    void leavesAWorkerAloneWhereNothingIsSet() {
        assertThat(Recycling.never()
                .due(new Use(1_000_000, Duration.ofDays(99), Duration.ofDays(99), 1L << 40, 0)))
                .isEmpty();
    }

    @Test
    void countsJobs() {
        Recycling rule = Recycling.never().afterJobs(100);
        assertThat(rule.due(jobs(99, 0))).isEmpty();
        assertThat(rule.due(jobs(100, 0))).contains("recycled after 100 jobs");
        assertThat(Recycling.never().afterJobs(1).due(YOUNG)).as("never before its first job").isEmpty();
    }

    @Test
    void looksAtAgeIdleTimeAndMemory() {
        Recycling rule = Recycling.never().afterAge(Duration.ofHours(1)).afterIdle(Duration.ofMinutes(10))
                .aboveMemory(512L << 20);
        assertThat(rule.due(times(Duration.ofMinutes(59), Duration.ofMinutes(9)))).isEmpty();
        assertThat(rule.due(times(Duration.ofMinutes(60), Duration.ZERO)))
                .contains("recycled at the age of 1h");
        assertThat(rule.due(times(Duration.ZERO, Duration.ofMinutes(10))))
                .contains("recycled after 10m without a job");
        assertThat(rule.due(new Use(1, Duration.ZERO, Duration.ZERO, 512L << 20, 0))).isEmpty();
        assertThat(rule.due(new Use(1, Duration.ZERO, Duration.ZERO, (512L << 20) + 1, 0)))
                .contains("recycled at 536870913 bytes of memory, over 536870912");
    }

    @Test
    void spreadsWhatWasStartedTogether() {
        Recycling rule = Recycling.never().afterJobs(1000).jitter(0.1);
        assertThat(rule.due(jobs(949, 0.5))).isEmpty();
        assertThat(rule.due(jobs(950, 0.5))).isPresent();
        assertThat(rule.due(jobs(999, 0))).isEmpty();
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> Recycling.never().afterJobs(0))
                .hasMessage("recycle after at least 1 job: 0");
        assertThatThrownBy(() -> Recycling.never().aboveMemory(0)).hasMessageContaining("at least 1 byte");
        assertThatThrownBy(() -> Recycling.never().afterAge(Duration.ZERO))
                .hasMessageContaining("longer than zero");
        assertThatThrownBy(() -> Recycling.never().jitter(1)).hasMessageContaining("below 1");
    }
}
