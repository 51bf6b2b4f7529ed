package dev.heddle.engine.execute;

import java.time.Duration;

import dev.heddle.pool.PoolSettings.Stopping;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

class ClosingTimesTest {

    /** Handlers usually have 20 s to stop, and are abandoned 5 s after their interrupt. */
    @ParameterizedTest
    @CsvSource({
        // limit, drain, grace, abandon
        "PT10M, PT9M35S, PT20S, PT5S",
        "PT50S, PT25S, PT20S, PT5S",
        "PT40S, PT20S, PT15S, PT5S",
        "PT8S, PT4S, PT2S, PT2S",
        "PT2S, PT1S, PT0.5S, PT0.5S",
        "PT0.5S, PT0S, PT0.5S, PT0.5S",
        "PT0S, PT0S, PT0.5S, PT0.5S"})
    void dividesALimitIntoDrainingAndStopping(Duration limit, Duration drain, Duration grace, Duration abandonAfter) {
        ClosingTimes times = ClosingTimes.within(limit, Stopping.standard());
        assertThat(times).isEqualTo(new ClosingTimes(drain, grace, abandonAfter));
        assertThat(times.grace(Duration.ofHours(1))).as("even if a type asks for more").isEqualTo(grace);
    }
}
