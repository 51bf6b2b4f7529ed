package dev.heddle.external;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

import dev.heddle.external.RestartPolicy.Decision;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RestartPolicyTest {

    private static final RestartPolicy POLICY = RestartPolicy.STANDARD;

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private CrashWindow window = CrashWindow.empty(POLICY.storm());

    @Test
    void doublesTheDelayUpToAMinuteAndSaysWhenTheLimitIsReached() {
        assertThat(IntStream.rangeClosed(1, 12).mapToObj(crashes -> POLICY.decide(crashes, false))).containsExactly(
                restart(1), restart(2), restart(4), restart(8), restart(16), restart(32), restart(60), restart(60),
                restart(60), restart(60), limitReached(60), limitReached(60));
    }

    private static Decision restart(int seconds) {
        return new Decision.Restart(Duration.ofSeconds(seconds));
    }

    private static Decision limitReached(int seconds) {
        return new Decision.LimitReached(Duration.ofSeconds(seconds));
    }

    @Test
    void holdsEverythingInAStorm() {
        assertThat(POLICY.decide(1, true)).isEqualTo(new Decision.Hold(Duration.ofSeconds(60)));
        assertThat(POLICY.decide(11, true)).isEqualTo(new Decision.Hold(Duration.ofSeconds(60)));
    }

    @Test
    void twentyCrashesInAMinuteAreAStorm() {
        crash(19, Duration.ofSeconds(3));
        assertThat(window.isStorm()).isFalse();
        crash(1, Duration.ofSeconds(2));
        assertThat(window.isStorm()).isTrue();
    }

    @Test
    void slowerCrashesAreNoStorm() {
        crash(100, Duration.ofMillis(3_160));

        assertThat(window.isStorm()).isFalse();
        assertThat(window.crashes()).hasSize(19);
    }

    @Test
    void aSuccessClearsTheWindow() {
        crash(19, Duration.ofSeconds(1));
        window = window.succeeded();
        crash(19, Duration.ofSeconds(1));

        assertThat(window.isStorm()).isFalse();
        crash(1, Duration.ofSeconds(1));
        assertThat(window.isStorm()).isTrue();
    }

    private void crash(int times, Duration apart) {
        for (int i = 0; i < times; i++) {
            clock.advance(apart);
            window = window.crashed(clock.elapsed());
        }
    }
}
