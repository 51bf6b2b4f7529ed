package dev.heddle.agent;

import java.time.Duration;
import java.time.Instant;

import dev.heddle.agent.EndRules.Cause;
import dev.heddle.agent.EndRules.Next;
import dev.heddle.agent.EndRules.Signs;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EndRulesTest {

    private static final Instant T = Instant.parse("2026-01-01T00:00:00Z");
    private static final EndRules RULES = EndRules.standard();

    @Test
    void anAgentThatIsDoneHasThirtySecondsToExit() {
        Signs done = new Signs(T, true);
        assertThat(RULES.next(done, T.plusSeconds(29))).isEqualTo(new Next.Look(T.plusSeconds(30)));
        assertThat(RULES.next(done, T.plusSeconds(30))).isEqualTo(new Next.End(new Cause.Hung()));
    }

    @Test
    void anAgentThatIsNotMayBeSilentForTenMinutes() {
        Signs busy = new Signs(T, false);
        assertThat(RULES.next(busy, T.plusSeconds(599))).isEqualTo(new Next.Look(T.plusSeconds(600)));
        assertThat(RULES.next(busy, T.plusSeconds(600))).isEqualTo(new Next.End(new Cause.Stalled()));
    }

    @Test
    void withoutAStallTimeSilenceMeansNothing() {
        EndRules patient = new EndRules(Duration.ofSeconds(30), null);
        assertThat(patient.next(new Signs(T, false), T.plus(Duration.ofDays(9))))
                .isEqualTo(new Next.Look(null));
        assertThatIllegalArgumentException().isThrownBy(() -> new EndRules(Duration.ZERO, Duration.ZERO));
    }
}
