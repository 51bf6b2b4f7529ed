package dev.heddle.server;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.env.Environment;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class FailedLoginsTest {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final FailedLogins failures = new FailedLogins(Environment.system().withClock(clock));

    @Test
    void throttlesAnAddressUntilTheMinuteIsOver() {
        for (int i = 0; i < FailedLogins.MAX_FAILURES; i++) {
            assertThat(failures.record("192.0.2.1")).isFalse();
        }
        assertThat(failures.record("192.0.2.1")).isTrue();
        assertThat(failures.record("192.0.2.2")).as("another address").isFalse();

        clock.jump(Duration.ofHours(1));
        assertThat(failures.record("192.0.2.1")).as("only the clock was set").isTrue();
        clock.advance(FailedLogins.WINDOW);
        assertThat(failures.record("192.0.2.1")).isFalse();
    }
}
