package dev.heddle.agent;

import java.time.Duration;

import dev.heddle.agent.EndRules.Activity;
import dev.heddle.agent.EndRules.Cause;
import dev.heddle.agent.EndRules.Decision;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class EndRulesTest {

    private static final Duration T = Duration.ofDays(3);
    private static final EndRules RULES = EndRules.standard();

    @Test
    void anAgentHasThirtySecondsToExitAfterItsResult() {
        Activity done = new Activity(T, true);
        assertThat(RULES.decide(done, T.plusSeconds(29))).isEqualTo(new Decision.Continue(T.plusSeconds(30)));
        assertThat(RULES.decide(done, T.plusSeconds(30))).isEqualTo(new Decision.Stop(new Cause.Hung()));
    }

    @Test
    void anAgentMayBeSilentForTenMinutesBeforeItsResult() {
        Activity busy = new Activity(T, false);
        assertThat(RULES.decide(busy, T.plusSeconds(599))).isEqualTo(new Decision.Continue(T.plusSeconds(600)));
        assertThat(RULES.decide(busy, T.plusSeconds(600))).isEqualTo(new Decision.Stop(new Cause.Stalled()));
    }

    @Test
    void withoutAStallTimeoutAnAgentMayBeSilentForever() {
        EndRules patient = new EndRules(Duration.ofSeconds(30), null);
        assertThat(patient.decide(new Activity(T, false), T.plus(Duration.ofDays(9))))
                .isEqualTo(new Decision.Continue(null));
        assertThatIllegalArgumentException().isThrownBy(() -> new EndRules(Duration.ZERO, Duration.ZERO));
    }
}
