package dev.heddle.server;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

import dev.heddle.access.Actor;
import dev.heddle.access.Caller;
import dev.heddle.access.Role;
import dev.heddle.env.Environment;
import dev.heddle.testkit.ManualClock;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class LoginsTest {

    private static final Caller ANN = new Caller(Actor.cli("ann"), Role.OPERATOR);

    private final ManualClock clock = new ManualClock(Instant.parse("2026-03-01T12:00:00Z"));
    private final Logins logins = new Logins(Environment.system().withClock(clock));

    @Test
    void exchangesACodeOnce() {
        String code = logins.newCode(ANN);
        String session = Objects.requireNonNull(logins.exchange(code));

        assertThat(session).isNotEqualTo(code);
        assertThat(logins.exchange(code)).isNull();
        assertThat(logins.caller(session)).isEqualTo(ANN);
        assertThat(logins.caller(code)).isNull();
    }

    @Test
    void expiresCodesAndSessions() {
        String late = logins.newCode(ANN);
        String session = Objects.requireNonNull(logins.exchange(logins.newCode(ANN)));
        clock.advance(Duration.ofMinutes(10));

        assertThat(logins.exchange(late)).isNull();
        assertThat(logins.caller(session)).isEqualTo(ANN);
        for (int i = 0; i < 24; i++) {
            assertThat(logins.caller(session)).isEqualTo(ANN);
            clock.advance(Duration.ofMinutes(30));
        }
        assertThat(logins.caller(session)).isNull();
    }

    @Test
    void endsASessionThatIsIdleOrSignedOut() {
        String idle = Objects.requireNonNull(logins.exchange(logins.newCode(ANN)));
        clock.advance(Duration.ofMinutes(59));
        assertThat(logins.caller(idle)).isEqualTo(ANN);
        clock.advance(Duration.ofMinutes(60));
        assertThat(logins.caller(idle)).isNull();
        String left = Objects.requireNonNull(logins.exchange(logins.newCode(ANN)));
        logins.end(left);
        assertThat(logins.caller(left)).isNull();
    }

    @Test
    void keepsCodesAndSessionsAsLongIfTheClockIsSet() {
        String code = logins.newCode(ANN);
        clock.jump(Duration.ofDays(1));
        String session = Objects.requireNonNull(logins.exchange(code));
        clock.jump(Duration.ofDays(-2));
        assertThat(logins.caller(session)).isEqualTo(ANN);
        clock.advance(Duration.ofHours(12));
        assertThat(logins.caller(session)).isNull();
    }

    @Test
    void dropsTheOldestCodeBeyondTheLimit() {
        String first = logins.newCode(ANN);
        for (int i = 0; i < 100; i++) {
            logins.newCode(ANN);
        }
        assertThat(logins.exchange(first)).isNull();
    }
}
