package dev.heddle.pool;

import java.time.Duration;

import dev.heddle.pool.PoolSettings.Claiming;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ClaimingTest {

    private static final Claiming STANDARD = Claiming.standard();

    @ParameterizedTest
    @CsvSource({"1,PT0.2S", "4,PT0.2S", "5,PT1S", "6,PT2S", "9,PT16S", "10,PT30S", "1000,PT30S"})
    void slowsDownAfterFiveErrorsInARow(int errors, Duration pause) {
        assertThat(STANDARD.errorPause(errors)).isEqualTo(pause);
    }

    @ParameterizedTest
    @CsvSource({"1,PT0.2S", "2,PT0.2S", "3,PT1S", "4,PT2S", "5,PT4S", "6,PT5S"})
    void slowsDownAsConfigured(int errors, Duration pause) {
        assertThat(new Claiming(0, null, 3, Duration.ofSeconds(5)).errorPause(errors)).isEqualTo(pause);
    }

    /** Empty polls, whether notifications are missing, and the pause before the next poll. */
    @ParameterizedTest
    @CsvSource({"0,false,PT0.1S", "1,false,PT0.2S", "5,false,PT3.2S", "6,false,PT5S", "10000,false,PT5S",
        "0,true,PT0.1S", "3,true,PT0.8S", "4,true,PT1S", "10000,true,PT1S"})
    void pollsEverMoreRarelyWhileIdle(int emptyPolls, boolean unnotified, Duration pause) {
        assertThat(STANDARD.pollPause(emptyPolls, unnotified)).isEqualTo(pause);
    }

    @Test
    void pollsAtAFixedPaceOrNeverIfConfigured() {
        Claiming fixed = new Claiming(0, Duration.ofSeconds(3), 5, Duration.ofSeconds(30));
        Claiming never = new Claiming(0, Duration.ZERO, 5, Duration.ofSeconds(30));

        for (int emptyPolls : new int[]{0, 1, 1000}) {
            assertThat(fixed.pollPause(emptyPolls, true)).isEqualTo(Duration.ofSeconds(3));
            assertThat(never.pollPause(emptyPolls, true)).isNull();
        }
    }

    @Test
    void refusesInvalidValues() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new Claiming(-1, null, 5, second)).hasMessage("claimAhead must be at least 0: -1");
        assertThatThrownBy(() -> new Claiming(0, Duration.ofSeconds(-1), 5, second))
                .hasMessage("pollEvery must not be negative: PT-1S");
        assertThatThrownBy(() -> new Claiming(0, null, 0, second)).hasMessage("maxErrors must be at least 1: 0");
        assertThatThrownBy(() -> new Claiming(0, null, 5, Duration.ZERO))
                .hasMessage("maxBackoff must be longer than zero: PT0S");
    }
}
