package dev.heddle.engine.cluster;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import dev.heddle.job.JobState;
import dev.heddle.store.Fence;
import dev.heddle.store.Renewal.HeldAttempt;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class UnknownAttemptsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final Duration START = Duration.ofDays(3);
    private static final Fence ONE = new Fence(1, 1, "me");
    private static final List<HeldAttempt> HELD = List
            .of(new HeldAttempt(ONE, JobState.ASSIGNED, Instant.parse("2999-01-01T00:00:00Z"), null));

    private final UnknownAttempts unknown = new UnknownAttempts(PATIENCE);

    @Test
    void waitsForTheAnswerToAClaim() {
        assertThat(unknown.overdue(HELD, Set.of(), START)).isEmpty();
        assertThat(unknown.overdue(HELD, Set.of(), START.plus(PATIENCE).minusMillis(1))).isEmpty();
        assertThat(unknown.overdue(HELD, Set.of(), START.plus(PATIENCE))).containsExactly(ONE);
    }

    @Test
    void startsAgainIfTheAttemptWasKnownMeanwhile() {
        assertThat(unknown.overdue(HELD, Set.of(), START)).isEmpty();
        assertThat(unknown.overdue(HELD, Set.of(ONE), START)).isEmpty();
        assertThat(unknown.overdue(HELD, Set.of(), START.plus(PATIENCE))).isEmpty();
    }
}
