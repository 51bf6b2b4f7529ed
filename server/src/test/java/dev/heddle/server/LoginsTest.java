package dev.heddle.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.heddle.env.Environment;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoginsTest {

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final Logins logins = new Logins(Environment.system().withClock(clock));

    @Test
    void exchangesACodeOnce() {
        String code = logins.newCode();
        String session = Objects.requireNonNull(logins.exchange(code));

        assertThat(session).isNotEqualTo(code);
        assertThat(logins.exchange(code)).isNull();
        assertThat(logins.isSession(session)).isTrue();
        assertThat(logins.isSession(code)).isFalse();
    }

    @Test
    void expiresCodesAndSessions() {
        String late = logins.newCode();
        String session = Objects.requireNonNull(logins.exchange(logins.newCode()));
        clock.advance(Duration.ofMinutes(10));

        assertThat(logins.exchange(late)).isNull();
        assertThat(logins.isSession(session)).isTrue();
        clock.advance(Duration.ofHours(12));
        assertThat(logins.isSession(session)).isFalse();
    }

    @Test
    void keepsCodesAndSessionsAsLongIfTheClockIsSet() {
        String code = logins.newCode();
        clock.jump(Duration.ofDays(1));
        String session = Objects.requireNonNull(logins.exchange(code));
        clock.jump(Duration.ofDays(-2));
        assertThat(logins.isSession(session)).isTrue();
        clock.advance(Duration.ofHours(12));
        assertThat(logins.isSession(session)).isFalse();
    }

    @Test
    void dropsTheOldestCodeBeyondTheLimit() {
        String first = logins.newCode();
        for (int i = 0; i < 100; i++) {
            logins.newCode();
        }
        assertThat(logins.exchange(first)).isNull();
    }
}
