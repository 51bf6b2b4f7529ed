package dev.heddle.cli.doctor;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.heddle.access.Role;
import dev.heddle.control.model.TokenView;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class TokenCheckTest {

    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    private static TokenView token(String name, int age, @Nullable Integer unusedFor, boolean expires) {
        Instant expiry = expires ? NOW.plus(Duration.ofDays(10)) : null;
        return new TokenView(name, Role.VIEWER, "heddle_1234", "cli:ann", ago(age), expiry, false,
                unusedFor == null ? null : ago(unusedFor));
    }

    private static Instant ago(int days) {
        return NOW.minus(Duration.ofDays(days));
    }

    @Test
    void acceptsTokensThatExpireAndAreUsed() {
        assertThat(TokenCheck.judge(List.of(), NOW).ok()).isTrue();
        assertThat(TokenCheck.judge(List.of(token("ci", 200, 89, true), token("new", 1, null, true)), NOW).ok())
                .isTrue();
    }

    @Test
    void namesTokensWithoutAnExpiry() {
        assertThat(TokenCheck.judge(List.of(token("ci", 1, 1, false), token("ops", 1, 1, true)), NOW).found())
                .isEqualTo("ci without an expiry");
    }

    @Test
    void namesTokensThatNobodyUses() {
        assertThat(TokenCheck.judge(List.of(token("old", 91, null, true), token("ci", 200, 91, true),
                token("ops", 200, 1, true)), NOW).found()).isEqualTo("old, ci not used for 90 days");
    }

    @Test
    void ignoresTokensThatHaveExpired() {
        TokenView expired = new TokenView("old", Role.ADMIN, "heddle_1234", "cli:ann", ago(500), ago(400), true, null);
        assertThat(TokenCheck.judge(List.of(expired), NOW).ok()).isTrue();
    }
}
