package dev.heddle.process;

import java.time.Duration;
import java.time.Instant;
import java.util.stream.IntStream;

import dev.heddle.process.RestartPolicy.Remedy;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RestartPolicyTest {

    private static final RestartPolicy POLICY = RestartPolicy.standard();

    private final ManualClock clock = new ManualClock(Instant.EPOCH);
    private CrashWindow window = CrashWindow.empty(POLICY.storm());

    @Test
    void doublesTheDelayUpToAMinuteThenReplaces() {
        assertThat(IntStream.rangeClosed(1, 12).mapToObj(crashes -> POLICY.remedy(crashes, false)))
                .containsExactly(
                        restart(1), restart(2), restart(4), restart(8), restart(16), restart(32), restart(60),
                        restart(60),
                        restart(60), restart(60), replace(1), replace(1));
    }

    private static Remedy restart(int seconds) {
        return new Remedy.Restart(Duration.ofSeconds(seconds));
    }

    private static Remedy replace(int seconds) {
        return new Remedy.Replace(Duration.ofSeconds(seconds));
    }

    @Test
    void holdsEverythingInAStorm() {
        assertThat(POLICY.remedy(1, true)).isEqualTo(new Remedy.Hold(Duration.ofSeconds(60)));
        assertThat(POLICY.remedy(11, true)).isEqualTo(new Remedy.Hold(Duration.ofSeconds(60)));
    }

    @Test
    void twentyCrashesInAMinuteAreAStorm() {
        crash(19, Duration.ofSeconds(3));
        assertThat(window.isStorm()).isFalse();
        crash(1, Duration.ofSeconds(2));
        assertThat(window.isStorm()).isTrue();
    }

    @Test
    void thatTakesLongerIsNone() {
        crash(100, Duration.ofMillis(3_160));

        assertThat(window.isStorm()).isFalse();
        assertThat(window.crashes()).hasSize(19);
    }

    @Test
    void aSuccessEndsIt() {
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
            window = window.crashed(clock.instant());
        }
    }

    @Test
    void refusesNonsense() {
        assertThatThrownBy(
                () -> new RestartPolicy(Duration.ofSeconds(2), Duration.ofSeconds(1), 1, POLICY.storm()))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("PT2S to PT1S");
    }
}
