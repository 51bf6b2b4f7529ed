package dev.heddle.testkit;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ManualClockTest {

    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");
    private final ManualClock clock = new ManualClock(START);

    @Test
    void standsStillUntilItIsAdvanced() {
        assertThat(clock.instant()).isEqualTo(START).isEqualTo(clock.instant());

        clock.advance(Duration.ofSeconds(90));

        assertThat(clock.instant()).isEqualTo(START.plusSeconds(90));
    }

    @Test
    void callsItsListenersAfterEachAdvance() {
        List<Instant> seen = new ArrayList<>();
        clock.onJump(() -> seen.add(clock.instant()));

        clock.advance(Duration.ofSeconds(1));
        clock.advance(Duration.ofSeconds(2));

        assertThat(seen).containsExactly(START.plusSeconds(1), START.plusSeconds(3));
    }

    @Test
    void letsNoTimePassInAJump() {
        clock.advance(Duration.ofSeconds(3));
        clock.jump(Duration.ofHours(-1));

        assertThat(clock.instant()).isEqualTo(START.plusSeconds(3).minus(Duration.ofHours(1)));
        assertThat(clock.elapsed()).isEqualTo(Duration.ofSeconds(3));
    }

    @Test
    void refusesToPassBackwards() {
        assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1))).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-1S");
        assertThat(clock.instant()).isEqualTo(START);
    }
}
