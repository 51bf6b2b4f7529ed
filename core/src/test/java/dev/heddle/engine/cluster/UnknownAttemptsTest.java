package dev.heddle.engine.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.engine.testing.ManualClock;
import dev.heddle.env.Environment;
import dev.heddle.job.JobState;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal.HeldAttempt;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnknownAttemptsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Fence ONE = new Fence(1, 1, "me");
    private static final List<HeldAttempt> HELD = List
            .of(new HeldAttempt(ONE, JobState.ASSIGNED, Instant.parse("2999-01-01T00:00:00Z"), null));

    private final ManualClock clock = new ManualClock();
    private final UnknownAttempts unknown = new UnknownAttempts(Environment.system().withClock(clock), PATIENCE);

    @Test
    void waitsForTheAnswerToAClaim() {
        assertThat(unknown.overdue(HELD, Set.of())).isEmpty();
        clock.advance(PATIENCE.minusMillis(1));
        assertThat(unknown.overdue(HELD, Set.of())).isEmpty();
        clock.advance(Duration.ofMillis(1));
        assertThat(unknown.overdue(HELD, Set.of())).containsExactly(ONE);
    }

    @Test
    void startsAgainIfTheAttemptWasKnownMeanwhile() {
        assertThat(unknown.overdue(HELD, Set.of())).isEmpty();
        assertThat(unknown.overdue(HELD, Set.of(ONE))).isEmpty();
        clock.advance(PATIENCE);
        assertThat(unknown.overdue(HELD, Set.of())).isEmpty();
    }
}
